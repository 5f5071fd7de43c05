"""Processes of our own that run what can't be stopped in a thread."""

from .client import NotCompiled, pool, run

__all__ = ["NotCompiled", "pool", "run"]
