"""From the files that a system reads to configurations: discovery, loading, and the host context of an engine."""
