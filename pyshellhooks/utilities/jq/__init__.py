"""jq: JSON on the command line, the tool that hooks lean on most."""

from .command import jq

__all__ = ["jq"]
