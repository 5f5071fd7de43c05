"""Write down which Oils cases pass: ``python tests/contract/record_oils.py RESULT.json`` (of ``spec.py --json``).

New ones that pass are added to oils_cases.toml. What passed before and fails now is never taken out: that is a bug to
mend. What fails keeps its reason; a case without one is ``open``.
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
from pathlib import Path

CASES = Path(__file__).with_name("oils_cases.toml")

HEAD = """\
# Cases of Oils' spec tests, by file and number (no text of theirs), that pyshellhooks must run: see test_oils.py.
# passes: each of them has passed once. fails: why not. as_root: what root sees differently.
"""


def spelled(numbers: set[int]) -> str:
    """Write numbers as ranges: ``0-3 5``."""
    out: list[list[int]] = []
    for number in sorted(numbers):
        if out and number == out[-1][1] + 1:
            out[-1][1] = number
        else:
            out.append([number, number])
    return " ".join(str(first) if first == last else f"{first}-{last}" for first, last in out)


def numbers(text: str) -> set[int]:
    """Read them back."""
    return {
        number
        for first, last in re.findall(r"(\d+)(?:-(\d+))?", text)
        for number in range(int(first), int(last or first) + 1)
    }


def load() -> tuple[dict[str, set[int]], dict[str, str], list[str]]:
    """Return what passes, what fails and why, and what root sees differently."""
    data = tomllib.loads(CASES.read_text(encoding="utf-8"))
    return {name: numbers(text) for name, text in data["passes"].items()}, data["fails"], data["as_root"]["cases"]


def main(path: str) -> int:
    """Merge one result into the file."""
    passes, fails, as_root = load()
    for case in json.loads(Path(path).read_text(encoding="utf-8"))["cases"]:
        name, _, number = case["id"].partition("#")
        if case["result"] == "pass":
            passes.setdefault(name, set()).add(int(number))
            fails.pop(case["id"], None)
        elif case["result"] in ("fail", "timeout"):
            if int(number) in passes.get(name, ()):
                print(f"{case['id']} passed once: mend it ({case['result']})")
            else:
                fails.setdefault(case["id"], "open")
    lines = [HEAD, "[passes]"]
    lines += [f'"{name}" = "{spelled(found)}"' for name, found in sorted(passes.items())]
    lines += ["", "[fails]", *(f'"{name}" = "{why}"' for name, why in sorted(fails.items(), key=_place))]
    lines += ["", "[as_root]", f"cases = {json.dumps(sorted(as_root))}"]
    CASES.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return 0


def _place(item: tuple[str, str]) -> tuple[str, int]:
    name, _, number = item[0].partition("#")
    return name, int(number)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
