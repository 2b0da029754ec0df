"""Fair treatment of a server's visitors: prompt messages, turns, memory."""
