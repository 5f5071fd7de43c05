"""JSON as jq reads, compares and writes it."""
