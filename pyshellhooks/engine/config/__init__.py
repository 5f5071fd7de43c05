"""From the files that a system reads to configurations: discovery, loading, and the surroundings of an engine."""
