"""Views of traces and training without a server: the trace player, the live page, lessons, static figures."""
