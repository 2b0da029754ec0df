"""Common parts of all pages: the base of components that receive messages, and the page's notices."""
