"""The explorer: pages of panels over sessions. Imports flow one way: shell, panels, view, session."""
