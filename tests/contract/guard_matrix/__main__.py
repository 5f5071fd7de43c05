"""``python -m tests.contract.guard_matrix --write`` writes docs/guards.md; without it, says whether it is stale."""

from __future__ import annotations

import sys

from .document import FILE, text

if sys.argv[1:] == ["--write"]:
    FILE.write_text(text(), encoding="utf-8")
elif not FILE.exists() or FILE.read_text(encoding="utf-8") != text():
    sys.exit(f"{FILE} is stale: python -m tests.contract.guard_matrix --write")
