"""The utilities on 10 MB against the machine's own: ratios of CPU time in one run, output to a file on both sides.

Ours runs warm in this process. The machine's is a process of its own, whose start (a shell's, and the program's) is counted.
"""

from __future__ import annotations

import random
import shutil
import subprocess
import tempfile
from pathlib import Path

from .measure import Act, beside, spelled

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
    "awk sum of short lines": ("gawk '{s+=$1} END{print s}' numbers", 6),
    "awk sum of a column": ("gawk '{s+=$2} END{print s}' ten", 6),
    "awk print of fields": ("gawk '{print $3, $1}' ten", 6),
    "awk count by key": ("gawk '{n[$3]++} END{print length(n)}' ten", 6),
    "awk -F with a test": ("gawk -F= '$2 > 500000000 {n++} END{print n}' ten", 6),
    "awk of lines that match": ("gawk '/needle/{print NR}' ten", 6),
    "base64": ("base64 noise", 6),
    "base64 -d": ("base64 -d encoded", 6),
    "cat": ("cat ten", 6),
    "cat -n": ("cat -n ten", 6),
    "cat -A": ("cat -A noise", 6),
    "cat -A of text": ("cat -A ten", 6),
    "cksum": ("cksum noise", 6),
    "cmp of equal files": ("cmp ten ten.copy", 6),
    "cmp -l": ("cmp -l tenth tenth.changed; true", 6),
    "column -t": ("column -t tenth", 6),
    "comm": ("comm sorted sorted.half", 6),
    "cp": ("cp ten ten.out", 6),
    "cut -d -f": ("cut -d' ' -f3 ten", 6),
    "cut -d -f of several": ("cut -d' ' -f2,4- ten", 6),
    "cut -c": ("cut -c1-20 ten", 6),
    "date of many lines": ("date -u -f dates", 6),
    "diff of a change in 1000": ("diff tenth tenth.changed; true", 6),
    "find": ("find tree", 6),
    "find -name": ("find tree -name '*7.txt'", 6),
    "find -size -printf": ("find tree -type f -size -2 -printf '%s %p\\n'", 6),
    "find | xargs ls": ("find tree -type f | xargs ls", 6),
    "fold": ("fold -w 40 ten", 6),
    "fold -s": ("fold -s -w 40 ten", 6),
    "head": ("head -n 100000 ten", 6),
    "head -n -1": ("head -n -1 ten", 6),
    "head -c": ("head -c 9000000 ten", 6),
    "join": ("join -t= sorted sorted.half", 6),
    "ls": ("ls tree/7", 6),
    "ls -R": ("ls -R tree", 6),
    "ls -lR": ("ls -lR tree", 6),
    "ls -lt": ("ls -lt tree/7", 6),
    "md5sum": ("md5sum noise", 6),
    "nl": ("nl ten", 6),
    "od": ("od noise", 6),
    "od -c": ("od -c noise", 6),
    "od -An -tx1": ("od -An -tx1 noise", 6),
    "paste": ("paste ten numbers", 6),
    "paste -s": ("paste -sd, numbers", 6),
    "printf of many arguments": ("xargs -a numbers -n 5000 printf '%d %s\\n'", 6),
    "rev": ("rev ten", 6),
    "seq": ("seq 1000000", 6),
    "seq -w with a step": ("seq -w 1 7 1000000", 6),
    "seq of tenths": ("seq 0 0.1 20000", 6),
    "seq -f": ("seq -f 'line %.2f' 100000", 6),
    "sha256sum": ("sha256sum noise", 6),
    "shuf": ("shuf ten | wc -l", 6),
    "sort": ("sort ten", 6),
    "sort -n": ("sort -n numbers", 6),
    "sort -u": ("sort -u repeated", 6),
    "sort -k2,2n": ("sort -s -k2,2n ten", 6),
    "split -l": ("split -l 20000 ten part.", 6),
    "strings": ("strings noise", 6),
    "tac": ("tac ten", 6),
    "tail": ("tail -n 50000 ten", 6),
    "tail -n 5 of 100 MB": ("tail -n 5 hundred", 6),
    "tail -n +2": ("tail -n +2 ten", 6),
    "tee": ("tee ten.out < ten", 6),
    "tr": ("tr a-z A-Z < ten", 6),
    "tr -d": ("tr -d aeiou < ten", 6),
    "tr -s": ("tr -s 'a-z ' < ten", 6),
    "tr -c": ("tr -c 'a-z\\n' _ < ten", 6),
    "uniq": ("uniq repeated", 6),
    "uniq of lines that all differ": ("uniq ten", 6),
    "uniq of short lines": ("uniq numbers", 6),
    "uniq -c": ("uniq -c repeated", 6),
    "uniq -d": ("uniq -d repeated", 6),
    "uniq -f": ("uniq -f 2 ten", 6),
    "wc": ("wc ten", 6),
    "wc -l": ("wc -l ten", 6),
    "wc -m": ("wc -m ten", 6),
    "xargs": ("xargs -a numbers echo", 6),
    "xargs -n": ("xargs -a few -n 10 echo", 6),
    "xxd": ("xxd noise", 6),
    "xxd -i": ("xxd -i noise", 6),
    "xxd -p": ("xxd -p noise", 6),
    "xxd -r": ("xxd -r dumped", 6),
    "xxd -r -p": ("xxd -r -p plain", 6),
}
# What each side lists in its own order.
FREE = frozenset(("find", "find -name", "find -size -printf", "find | xargs ls", "shuf"))
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


def furnish(folder: Path) -> None:
    """Make the inputs, the same each time."""
    chance = random.Random(2)
    ten = lines(SIZE)
    tenth = ten[: ten.index(b"\n", SIZE // 10) + 1]
    cut = ten.splitlines(keepends=True)
    ordered = sorted(cut)
    noise = chance.randbytes(SIZE)
    numbers = [chance.randrange(10**6) for _ in range(SIZE * 10 // 69)]
    repeated = [line for line in cut[: len(cut) // 3] for _ in range(chance.choice((1, 1, 3, 7)))]
    files = {
        "ten": ten,
        "ten.copy": ten,
        "hundred": ten * 10,
        "tenth": tenth,
        "tenth.changed": tenth.replace(b" needle", b" NEEDLE"),
        "sorted": b"".join(ordered),
        "sorted.half": b"".join(ordered[::2]),
        "repeated": b"".join(repeated)[:SIZE].rpartition(b"\n")[0] + b"\n",
        "noise": noise,
        "numbers": b"".join(b"%d\n" % number for number in numbers),
        "few": b"".join(b"%d\n" % number for number in numbers[:3000]),
        "dates": b"".join(b"2026-%02d-%02d %02d:30\n" % (n % 12 + 1, n % 28 + 1, n % 24) for n in range(5000)),
    }
    for name, data in files.items():
        (folder / name).write_bytes(data)
    for name, script in {"encoded": "base64 noise", "dumped": "xxd noise", "plain": "xxd -p noise"}.items():
        if shutil.which(script.split()[0]) is not None:
            real(script, folder, name)()
    for branch in range(20):
        (folder / "tree" / str(branch)).mkdir(parents=True)
        for leaf in range(500):
            (folder / "tree" / str(branch) / f"{leaf}.txt").write_bytes(bytes(chance.randrange(3000)))


def ours(script: str, folder: Path) -> Act:
    """Run it in-process."""
    from pyshellhooks import Shell

    shell = Shell(cwd=str(folder), env={"LC_ALL": "C.UTF-8"})

    def act() -> None:
        result = shell.run(f"{{ {script}\n}} > out", timeout=120)
        assert result.status == 0, result

    return act


def real(script: str, folder: Path, out: str = "out2") -> Act:
    """Run it with the machine's tools."""
    command = script if "|" in script or ";" in script else f"exec {script}"

    def act() -> None:
        subprocess.run(
            ["sh", "-c", f"exec > {out}\n{command}"],
            cwd=folder,
            check=True,
            env={"LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"},
        )

    return act


def show(rounds: int, only: str = "") -> bool:
    """Print the table; says whether every ratio is within its bound."""
    print(
        "\nutilities on 10 MB, output to a file: CPU, ours warm in-process, the machine's with the start of its process"
    )
    good = True
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        furnish(folder)
        for title, (script, most) in SCRIPTS.items():
            if only not in title:
                continue
            if shutil.which(script.split()[0]) is None:
                print(f"  {title:32} not on this machine: {script.split()[0]}")
                continue
            own, theirs = beside(ours(script, folder), real(script, folder), rounds)
            ratio = own / theirs
            within = ratio <= most
            good = good and within
            mark = "" if within else "  MISSED"
            print(
                f"  {title:32} {spelled(own):>10} against {spelled(theirs):>10} {ratio:6.1f} × (at most {most}){mark}",
                flush=True,
            )
            if title not in FREE and (folder / "out").read_bytes() != (folder / "out2").read_bytes():
                good = False
                print(f"  {title:32} ANSWERS DIFFER")
    return good
