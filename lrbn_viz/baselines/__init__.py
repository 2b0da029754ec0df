"""Rival models, each one System in one file (its kernels, where it has any, in the file beside it)."""
