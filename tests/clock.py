"""Bounds of time that hold on a busy machine as well: the same as in the cases (conformance/clock.py)."""

from conformance.clock import patient as patient
