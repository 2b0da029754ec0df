"""Building blocks that the compiler turns into vector instructions."""
