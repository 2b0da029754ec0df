"""The explorer: a folder for each page, the parts that pages share, their addresses, and the shell."""
