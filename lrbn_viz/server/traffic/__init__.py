"""What a server sends and receives: turns of messages and pages, headers and files, counts, memory."""
