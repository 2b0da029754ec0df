"""The Sweeps page: results of a sweep's trials, as parallel coordinates and as a table."""
