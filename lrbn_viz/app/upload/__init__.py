"""A visitor's own data: the dialog of the Train page."""
