"""Utilities that exist on Windows only: elsewhere scripts test for them to recognize Windows."""

from __future__ import annotations

#: Name -> ``module:attribute``, as in ``utilities._index``.
INDEX: dict[str, str] = {"cygpath": "pyshellhooks.utilities.windows.cygpath:cygpath"}
