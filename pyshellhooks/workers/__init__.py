"""Processes of our own that run what can't be stopped in a thread."""

from .client import Session, pool

__all__ = ["Session", "pool"]
