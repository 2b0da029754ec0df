"""One file, one view; panels do not know each other."""
