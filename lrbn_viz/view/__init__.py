"""Views of traces and training without a server: trace player, animations, live page, lessons and figures."""
