"""Sigmoid belief networks that are learned with a recognition network, which is factorised given x."""
