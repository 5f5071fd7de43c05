"""Hooks without a system: facts, the port to a system, merging. Pure: nothing here runs or reads anything."""
