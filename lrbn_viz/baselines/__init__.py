"""Rival models: a folder for each family, a System for each way of training, the kernels they share."""
