"""Clocks and calendars: local time in any zone, independent of the process's own zone."""
