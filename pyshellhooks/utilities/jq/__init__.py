"""jq: JSON on the command line, the tool that hooks lean on most (jq 1.8 manual)."""

from .command import jq

__all__ = ["jq"]
