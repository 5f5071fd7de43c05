"""What a utility is, what it sees, and how one is declared."""

from .call import Call, Running, Start, reason
from .flags import Flag, Flags, Options
from .registry import Registry
from .utility import Utility, execute, utility

__all__ = [
    "Call",
    "Flag",
    "Flags",
    "Options",
    "Registry",
    "Running",
    "Start",
    "Utility",
    "execute",
    "reason",
    "utility",
]
