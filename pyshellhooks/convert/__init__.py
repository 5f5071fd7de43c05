"""Conversion of a config into that of another hook system (docs/howto/convert.md).

Driven by the tables of the dialects: neutral names of events, ``can``, kinds of tools, timeouts, variables and the form
of a config. The rest is tried out: a matcher is loaded by the other system's own loader, and an answer is parsed by its
own parser.
"""

from .conversion import Conversion, convert
from .losses import Loss

__all__ = ["Conversion", "Loss", "convert"]
