"""Speed as ratios: every contender runs in the same interleaved rounds, and medians are compared."""
