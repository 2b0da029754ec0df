"""Sphinx extensions for these pages: mathematics, equations and their lines of code, and generated text."""
