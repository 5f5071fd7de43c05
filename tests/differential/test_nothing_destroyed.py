"""What GNU's tools refuse so that no file is lost, refused by us: the same status, message and files afterwards.

Each line of the table runs in the same small tree on the machine's tool, on us in a directory and on us in memory.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from conformance.oracles import COREUTILS
from pyshellhooks import MemoryFS, Shell
from tests import oracles

pytestmark = pytest.mark.not_on_windows("needs-program")

ENV = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TZ": "UTC0", "HOME": "/"}
# The work is done two directories down: what is done to ".." by mistake stays in the test's own place.
TREE = """
mkdir -p top/w; cd top/w
echo A > a; echo B > b; ln a hard; ln -s a l; mkdir d e p q; echo X > d/x; ln -s d ld; ln -s none dang
echo PA > p/a; echo QA > q/a; mkdir p/d q/d; echo QD > q/d/y; echo OLD > old; echo BAK > a~; touch -d 2001-01-01 old; ln -s loop loop
"""
SHOWN = """
find .. -type d | sort; find .. -type l | sort | while read -r n; do echo "$n -> $(readlink "$n")"; done
find .. -type f | sort | while read -r n; do echo "$n:"; cat "$n"; done; [ a -ef hard ] && echo hard
"""
TABLE = {
    "mv": """
        a a | a ./a | a hard | l a | a l | hard l | a d/x/ | d a | -T a d | -T e d | -T d e | d d/sub | d d | d d/ | e d/e/..
        -n a b | -i a b | -u old b | -b a b | -f a a | a none/ | a b none | -t none a | -t a b | . x | .. x | d/. x | d/.. x
        a a d | p/a q/a d | p/d q/d e | p/d q | q/d p | -b p/a q/a d | a d/x/y | --backup -n a b | a b d/x | ld/ e | dang b
        none a | none d | a '' | '' a | a ld | -T a ld | -T ld d | d ld | ld d | a loop | a loop/x | loop a | a | -n d e
        --backup=none a a | -b a hard | -b l a | --strip-trailing-slashes ld/ e | -x a b | -T a b d | dang dang | a/ b
        -b a~ a | --backup=simple a~ a | --backup=numbered a~ a | -S.x a~ a | -b . a | -i d a | -b none a | -b hard a | -b l a
        -b a l | -bf a~ a | -n a~ a
    """,
    "cp": """
        a a | a ./a | a hard | a l | l a | -f a a | d e | -r d d | -r d d/s | -r d a | -T a d | -rT a d | -rT d a | -n a b
        -i a b | -u old b | a dang | -P l a | -d l a | -a l a | a b none | -r e d/x | p/a q/a d | -r p/d q/d e | a none/
        --remove-destination a a | --remove-destination a hard | --remove-destination a l | -l a b | -s a b | -l a hard
        -s b l | -b a a | -bf a a | -b a b | -rT d e | a/ b | a a d | none a | none d | a '' | '' a | -r . d | -r .. d
        -r d/. d/x | a loop | loop a | -l d e | -lf a b | -sf a b | -sf a a | -lf a a | -r ld/ e | -r ld e | -rL ld a
        --parents none/a d | --parents p/a b | -t none a | -t a b | -n -b a b | -x a | --attributes-only a b | -r d ld
        -f a d | -rf d a | -r --remove-destination d a | --remove-destination a d | -ra p/d q | -r dang b | dang b
        -b a~ a | -lb a~ a | -sb a~ a | --backup=simple a~ a | --backup=numbered a~ a | -bT . a | -sb a d/x | -lb d a | -b l a
        -bf a a | -d b a | -a b hard | -sf hard a | -lf b a | -Pb l l | -P l p/a d | -rl d a | -b none a | -rb d/. a
    """,
    "rm": """
        d | e | -d d | -d e | -r . | -r .. | -r ./ | -r ../ | -r d/. | -r d/.. | -rf . | -rf d/. | -i a | -ri d | -I a b hard old
        -I -r d | none | -f none | '' | -f '' | -f d | d/ | -r ld/ | ld/ | a/ | -f a/ | -rf a/ | -x a | -- -x | -rf d/x/ |
        --interactive=x a | a none b | -r none d | -f | -i d | -di e | --no-preserve a | l | ld | dang | loop | -r ld | d/x/y
        -f d/x/y | -rf none/x | -d d a | -rd d/x
    """,
    "ln": """
        a b | -s a b | -f a a | -f a ./a | -sf a a | a hard | -f a hard | d x | -sT a d | -sfT a d | -i a b | -s a none/x
        none x | -f none b | -sfn a ld | -sf a ld | -sfn a d | -f d a | a b d/x | p/a q/a d | -f p/a q/a d | -sf p/a q/a d
        -b a b | -bf a a | -sb a b | a a | -s a a | -s l l | -f l a | -sf l a | -sf a l | -Lf l a | -Pf l a | a dang | -f a dang
        -n a ld | '' x | a '' | -s '' x | -t none a | -t a b | -T a b d | a loop/x | -x a b | -f a d/x/ | -f a none/ | -r a b
        -sr a b | -srf a a | a d/x/y | -d d x | -F d x | -sf d a | -sfT d e
        -b none a | -sb '' a | -b d a | -srf l a | -srf a/ . | -Lb l l | -b a~ a | -i a d | --backup=numbered none a
    """,
    "sed": """
        -i s/A/X/ d | -i s/A/X/ none | -i s/A/X/ a none b | -i s/ a | -i y a | -i q9 a b | -i --sandbox 'w b' a | -i bx a
        -inone/'*' s/A/X/ a | -i.bak s/A/X/ a | -i.bak s/A/X/ l | -i s/A/X/ l | -i s/A/X/ ld | -i s/A/X/ dang | -i p
        -i s/A/X/ hard | -i s/A/X/ loop | -i --follow-symlinks s/A/X/ l | -i --follow-symlinks s/A/X/ dang | -i Q3 a | -n -i p a
        -i 'r none' a | -i 'w none/x' a | -i '}' a | -i -f none a | -i d/x s/A/X/ a | -i s/A/X/ a/ | -i p ''
        -i '1!d;$!N;s/A/X/' a b | -i -E 's/(/X/' a | -i --posix 's/A/X/;F' a | -i -s 'w b' a | -i 's/A/X/w /dev/stdout' a
    """,
    "tee": """
        d | none/x | -a a | a/ | '' | -x a | b d e | ld | loop | a none/x b | d/x/y | -a d | --output-error=x a | -p d b | -i a
    """,
    "sort": """
        -o d a | -o a none | -o none/x a | -o a a | -o a -k0 a | -o b -x a | -c -o b a | -o a -o b a | -m -o a a b | -no a b a
        -o a a none | -o '' a | -o a/ b | -o loop a | -o l b a | -o a -t ab b | -o a d | -o a -S x b | -o a --files0-from=none
        -C -o a b | -o a -nM b | -o ld a | -o a -T none b | -uo a a a | -o a - | -m -o a none b | -o hard a b | -o a --sort=x b
    """,
    "split": """
        a d/x/ | -l0 a | -b x a | none x | d | -n 3 -b1 a | -n l/0 a | --additional-suffix=/x a | -a0 -l1 a | -x a | a none/x
        -l1 a b | a l | -n 0 a | -n 2/1 a | -b 0 a | -C 0 a | -n r/0 a | -t ab a | --filter=x -n 1/2 a | -a x a | a '' | '' x
        --numeric-suffixes=x a | -l1 -l2 a | a b c
    """,
}
COMMANDS = [
    *(f"{tool} {words.strip()}" for tool, rows in TABLE.items() for row in rows.splitlines() for words in row.split("|") if words.strip()),
    "cp a xaa; split -l1 xaa", "cp a xaa; split -b1 a; echo; split -l1 - x < xaa", "ln a xaa; split -b1 a",
    "ln -s a xaa; split -b1 a", "mkdir xaa; split a", "ln -s none xaa; split a", "seq 30 | split -l1 -a1 - q/",
    "cat a b >> b", "cat a >> a", "cat < a >> a", "cat b a > b", "cat - a < b >> b", "cat - < a 1<> a", "cat l >> hard",
    "head -n1 a > a", "xxd -r - b < a", "shuf -o d a", "shuf -o none/x a", "shuf -o b none", "shuf -e -o a -n x 1", "uniq a d",
    "uniq a none/x", "uniq none b", "uniq -x a b", "set -C; echo n > a", "set -C; echo n > l", "set -C; echo n > dang", "rmdir d",
    "rmdir -p d/x", "rmdir p/d q/d e", "rmdir .", "rmdir ld", "rmdir a", "rmdir e/.", "mkdir a", "mkdir -p a/b", "mkdir d/x/y",
    "mkfifo a", "touch a/", "touch none/x", "touch d/x/y", "mktemp -p none", "mktemp a", "find . -name x -exec rm {} ';' -delete",
    "find p -delete", "find . -delete -name none", "find d -type d -delete", "find ld -delete", "find ld/ -delete",
]  # fmt: skip


# Where ours does less: GNU's cp copies a directory into itself until it meets itself, then refuses; both end with 1.
SAFER = {"cp -r d d", "cp -r d d/s", "cp -r . d", "cp -r .. d", "cp -r d ld"}
# Where only the words differ: a bad option of sed, and what the kernel says of a name that ends in a slash, or in dots.
WORDS = {"tee a/", "sort -o a/ b", "set -C; echo n > dang", "mv e d/e/.."}
TOGETHER = 30
ROWS = {
    f"{tool}-{start}": found[start : start + TOGETHER]
    for tool in sorted({command.split()[0].rstrip(";") for command in COMMANDS})
    for found in [[command for command in COMMANDS if command.split()[0].rstrip(";") == tool]]
    for start in range(0, len(found), TOGETHER)
}


def script(command: str, number: int) -> str:
    prefix, _, last = command.rpartition("; ")
    stdin = "" if "<" in last or prefix else " <<< n"
    inner = f"{prefix}; {{ {last}{stdin}; }} 2> ../err" if prefix else f"{{ {last}{stdin}; }} 2> ../err"
    return f"mkdir {number}\n( cd {number}; {TREE}{inner}\necho status $?\ncat ../err; rm ../err; {SHOWN})\nprintf '\\001'\n"


def plain(out: bytes) -> list[str]:
    """Split what was printed; leave out where the shell says that a message comes from."""
    return re.sub(r"(?m)^(?:bash|sh): line [0-9]+: ", "sh: ", out.decode()).split("\1")[:-1]


@pytest.mark.one_in(6, slow=6)
@pytest.mark.oracle
@pytest.mark.parametrize("row", ROWS)
def test_as_the_real_tool(row: str, tmp_path: Path) -> None:
    oracles.need("bash", "find", "sed", *COREUTILS, path=ENV["PATH"])
    commands = ROWS[row]
    text = "".join(script(command, number) for number, command in enumerate(commands))
    (tmp_path / "real").mkdir()
    (tmp_path / "ours").mkdir()
    real = subprocess.run(["bash", "-c", text], cwd=tmp_path / "real", env=ENV, capture_output=True, timeout=100)
    expected = plain(real.stdout)
    disk = Shell(cwd=os.fspath(tmp_path / "ours"), env=ENV, spawn=False).run(text, timeout=100)
    memory = Shell(fs=MemoryFS(), env=ENV, spawn=False).run(text, timeout=100)
    for result in (disk, memory):
        got = plain(result.stdout)
        assert len(got) == len(expected) == len(commands), result
        for command, ours, theirs in zip(commands, got, expected, strict=True):
            assert judged(command, ours) == judged(command, theirs), command


def judged(command: str, said: str) -> str:
    """Return what of an answer must be equal."""
    status, _, rest = said.partition("\n")
    if command in WORDS:
        return status + rest[rest.index("..\n") :]
    return "" if command in SAFER else said


def test_safer_variants_leave_all_as_it_was() -> None:
    text = "".join(script(command, number) for number, command in enumerate(["true", *sorted(SAFER)]))
    before, *after = plain(Shell(fs=MemoryFS(), env=ENV, spawn=False).run(text, timeout=100).stdout)
    for command, said in zip(sorted(SAFER), after, strict=True):
        assert said.startswith("status 1\n"), command
        assert said[said.index("..\n") :] == before[before.index("..\n") :], command
