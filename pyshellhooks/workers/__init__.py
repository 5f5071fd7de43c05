"""Worker processes for code that cannot be interrupted in a thread."""

from .client import Session, pool

__all__ = ["Session", "pool"]
