"""The explorer: a folder for each page, what pages share, the address of all, the shell around them."""
