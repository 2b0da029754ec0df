"""What all pages share: the one base of components that receive messages, and the page's notices."""
