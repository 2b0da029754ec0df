"""Data and protocols that the whole package shares: traces, models, systems, settings, checks."""
