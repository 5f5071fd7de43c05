"""Utilities: their declaration, their options, and the call that they receive."""

from .call import Call, Running, Start, reason
from .direct import Direct, DirectContext
from .flags import Flag, Flags, Options, RawArgument
from .registry import Registry
from .utility import Utility, execute, utility

__all__ = [
    "Call",
    "Direct",
    "DirectContext",
    "Flag",
    "Flags",
    "RawArgument",
    "Options",
    "Registry",
    "Running",
    "Start",
    "Utility",
    "execute",
    "reason",
    "utility",
]
