"""Rival models: a folder for each family, with a System for each way of training, and the kernels they share."""
