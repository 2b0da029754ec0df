"""Rival models: a folder for each family, with a System for each method of training, and their kernels."""
