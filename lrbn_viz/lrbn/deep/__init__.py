"""Models of several layers."""
