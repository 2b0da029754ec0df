"""Visitors of a server: who asks, by signed tokens and a gate that every request passes."""
