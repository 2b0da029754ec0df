"""The Sweeps page: what trials of a sweep came to, as lines over axes and as a table."""
