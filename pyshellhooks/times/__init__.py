"""Clocks and calendars: what a moment is called in a time zone, without asking the process about its own."""
