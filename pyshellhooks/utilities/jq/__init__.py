"""jq, the command-line JSON processor, which hooks use most (jq 1.8 manual)."""

from .command import jq

__all__ = ["jq"]
