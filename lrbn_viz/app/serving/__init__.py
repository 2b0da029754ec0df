"""The explorer, served to others: what is exposed, whether it is ready, what it counts and logs."""
