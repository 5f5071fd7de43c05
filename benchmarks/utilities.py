"""The utilities on 10 MB against the machine's own: ratios in one run, output to a file on both sides."""

from __future__ import annotations

import random
import shutil
import subprocess
import tempfile
from pathlib import Path

from .measure import Act, median_seconds, spelled

SIZE = 10_000_000  # bytes
# What is run, and the most that ours may take as a multiple of the real tool.
SCRIPTS = {
    "grep, 1 line in 1000": ("grep needle ten", 4),
    "grep -E, 1 line in 1000": ("grep -E 'x|needle$' ten", 4),
    "grep, a third of the lines": ("grep error ten", 10),
    "grep -c, a third of the lines": ("grep -c error ten", 10),
    "grep -i, 1 line in 1000": ("grep -i NEEDLE ten", 4),
    "sed s///": ("sed s/error/ERROR/ ten", 15),
    "sed -E s///g with groups": ("sed -E 's/([a-z]+) id/\\1 ID/g' ten", 15),
    "sort": ("sort ten", 15),
    "sort -k2,2n": ("sort -k2,2n ten", 15),
    "wc": ("wc ten", 15),
    "wc -l": ("wc -l ten", 15),
    "cut -d -f": ("cut -d' ' -f3 ten", 15),
    "cut -c": ("cut -c1-20 ten", 15),
    "awk sum": ("gawk '{s+=$2} END{print s}' ten", 15),
    "tail -n 5 of 100 MB": ("tail -n 5 hundred", 15),
}
_WORDS = (
    "alpha beta gamma delta error warning timeout server client request response user admin file read write".split()
)


def lines(size: int) -> bytes:
    """Make lines of a log, the same each time."""
    chance = random.Random(1)
    made: list[str] = []
    length = number = 0
    while length < size:
        number += 1
        words = " ".join(chance.choice(_WORDS) for _ in range(8))
        line = f"2026-11-{number % 28 + 1:02d} {chance.randrange(10**6):06d} {words} id={chance.randrange(10**9)}"
        if not number % 1000:
            line += " needle"
        made.append(line)
        length += len(line) + 1
    return ("\n".join(made) + "\n").encode()


def ours(script: str, folder: Path) -> Act:
    """Run it in-process."""
    from pyshellhooks import Shell

    shell = Shell(cwd=str(folder), env={"LC_ALL": "C.UTF-8"})

    def act() -> None:
        result = shell.run(f"{script} > out", timeout=120)
        assert result.status == 0, result

    return act


def real(script: str, folder: Path) -> Act:
    """Run it with the machine's tool; the shell that starts it costs a millisecond."""

    def act() -> None:
        subprocess.run(
            ["sh", "-c", f"exec {script} > out2"],
            cwd=folder,
            check=True,
            env={"LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"},
        )

    return act


def show(rounds: int) -> bool:
    """Print the table; says whether every ratio is within its bound."""
    print("\nutilities on 10 MB, output to a file  (× the machine's tool)")
    good = True
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        ten = lines(SIZE)
        (folder / "ten").write_bytes(ten)
        with (folder / "hundred").open("wb") as file:
            for _ in range(10):
                file.write(ten)
        for title, (script, most) in SCRIPTS.items():
            if shutil.which(script.split()[0]) is None:
                print(f"  {title:32} not on this machine: {script.split()[0]}")
                continue
            found = median_seconds({"ours": (ours(script, folder), 1), "real": (real(script, folder), 1)}, rounds)
            ratio = found["ours"] / found["real"]
            within = ratio <= most
            good = good and within
            mark = "" if within else "  MISSED"
            print(
                f"  {title:32} {spelled(found['ours']):>10} against {spelled(found['real']):>10} {ratio:6.1f} × (at most {most}){mark}"
            )
            if title != "sort -k2,2n":
                assert (folder / "out").read_bytes() == (folder / "out2").read_bytes(), title
    return good
