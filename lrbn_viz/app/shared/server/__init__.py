"""How the server treats its visitors: messages at once, turns, memory."""
