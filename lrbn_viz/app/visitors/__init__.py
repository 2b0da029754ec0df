"""Visitors of a server: roles, ownership of runs, and limits."""
