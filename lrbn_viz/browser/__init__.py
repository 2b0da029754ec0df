"""Kernels for browsers: the list of them, their compiler, and the module and table that ship."""
