"""Classes: the live page as a file beside the explorer, and the counted predictions of a class."""
