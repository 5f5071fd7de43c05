"""grep and sed on 10 MB against the machine's own: ratios of CPU time in one run, output to a file on both sides.

Each option and command that scripts use, on logs, JSON, short lines and text beyond ASCII. Ours runs warm in this process;
the machine's is a process of its own, whose start (a shell's, and the program's: about 2 ms) is counted.
"""

from __future__ import annotations

import random
import subprocess
import tempfile
from pathlib import Path

from .measure import Act, beside, spelled

SIZE = 10_000_000  # bytes
MOST = 4  # times the CPU of the real tool

# File, then what is run on it. ``log`` has lines of 95 bytes, ``json`` of 130, ``short`` of 20, ``text`` is UTF-8.
GREPS = {
    "log": r"""
        grep needle
        grep error
        grep -v error
        grep -v needle
        grep -c error
        grep -vc error
        grep -ci error
        grep -n error
        grep -n needle
        grep -b needle
        grep -H error
        grep -o error
        grep -no error
        grep -oE '[0-9]+'
        grep -oE 'id=[0-9]+'
        grep -oE '[a-z]+ id'
        grep -noE 'id=[0-9]{3}'
        grep -obE 'user|admin'
        grep -i NEEDLE
        grep -i error
        grep -iE 'err(or)?|warn'
        grep -w needle
        grep -w error
        grep -wo error
        grep -nwo error
        grep -cw user
        grep -x '.*needle'
        grep -xE '2026.*[0-9]'
        grep -F needle
        grep -F -e needle -e 'x.y'
        grep -Fc -e error -e warning -e timeout
        grep -Fw error
        grep -Fx nothing
        grep -Fi Needle
        grep -e needle -e timeout
        grep 'server.*needle'
        grep 'needle$'
        grep '^2026-11-07'
        grep -c '^2026-11-0[1-5]'
        grep -c .
        grep -c ''
        grep -c '^$'
        grep 'alpha .* beta .* gamma .* delta'
        grep -E '(^|x)needle'
        grep -E '(^| )needle($| )'
        grep -E '^(2027|x).*needle'
        grep -E 'x|needle$'
        grep -E 'error|warning'
        grep -E '(error|warning|timeout) (server|client)'
        grep -E '([a-z]+ ){7}needle'
        grep -E '[0-9]{9}'
        grep -E 'id=[0-9]{1,4}$'
        grep -E '(a|b)+c'
        grep -cE '(alpha|beta)( [a-z]+)* delta'
        grep -E '\bneedle\b'
        grep -E '\<need'
        grep -cE '\<err'
        grep -c '[[:digit:]]\{8\}'
        grep -E '([a-z]+) \1 needle'
        grep -q nothing
        grep -L nothing
        grep -l nothing
        grep -m 1000 error
        grep -A 2 needle
        grep -B 2 needle
        grep -C 1 error
        grep -nA1 needle
        grep --color=always error
        grep -P needle
        grep -P error
        grep -P '\d{6} error'
        grep -cP 'id=\d+$'
        grep -oP 'id=\d+'
        grep -oP '\b[a-z]+\b'
        grep -noP 'id=\d{3}'
        grep -P '(error|warning) (server|client)'
        grep -iP 'NEEDLE'
        grep -vP 'error|warning'
        grep -P '^2026-11-07 \d+ .*needle'
        grep -P '(^| )needle'
        grep -wP 'needle'
        grep -xP '.*needle'
        grep -qP 'nothing'
        grep -P 'user.*?needle'
        grep -P 'error\s+\w+\s+needle'
    """,
    "json": r"""
        grep '"level":"error"'
        grep -v '"level":"error"'
        grep -c '"status":5[0-9][0-9]'
        grep -E '"level":"(error|warn)"'
        grep -oE '"path":"[^"]*"'
        grep -oP '"path":"[^"]*"'
        grep -P '"ms":\d{4},'
        grep -oE '[0-9]+'
        grep -i '"LEVEL":"ERROR"'
        grep -E '"user":"[^"]*x[^"]*"'
    """,
    "short": r"""
        grep 7777
        grep 77
        grep -c 7
        grep -v 7
        grep -n 77
        grep -x 77
        grep -w 77
        grep -oE '[0-9]+$'
        grep -cE '^[0-9]+ [a-z]+ 7'
        grep -cP '^\d+ \w+ 7'
        grep -P 'user|admin'
        grep -oP '\d+$'
        grep -A 1 7777
        grep -cv error
    """,
    "text": r"""
        grep ünder
        grep straße
        grep -c é
        grep -v straße
        grep -i STRASSE
        grep -i ÜNDER
        grep -ci error
        grep -n error
        grep -o 'stra.e'
        grep -oE '[[:alpha:]]+ß'
        grep -E 'na.ve|err'
        grep -E '^[[:alpha:]]+ é'
        grep -w größe
        grep -w error
        grep -x '.*größe'
        grep -P 'stra[^ ]+'
        grep -oP 'error [^ ]+'
        grep -cP '^\w+ \w+ error'
        grep -P 'größe$'
        grep -c .
        grep -E '\<err'
    """,
}
SEDS = {
    "log": r"""
        sed -n 5,10p
        sed 5,10d
        sed 5q
        sed -n '$p'
        sed '$d'
        sed -n '$='
        sed -n '1~3p'
        sed '0~4d'
        sed -n 1000,100000p
        sed 50000q
        sed 1d
        sed p
        sed -n p
        sed d
        sed =
        sed -n '/needle/='
        sed -n /needle/p
        sed -n /x/p
        sed -n /error/p
        sed '/error/!d'
        sed /error/d
        sed /needle/d
        sed '/^2026-11-07/d'
        sed -E '/error|warning/d'
        sed -n '/needle/,/error/p'
        sed '/needle/,+3d'
        sed -n '/error/,$p'
        sed -n '/2026-11-07/{/error/p}'
        sed '/needle/q'
        sed '/nothing/q'
        sed -n '/error/I p'
        sed s/error/ERROR/
        sed s/needle/x/
        sed s/nothing/x/
        sed s/error/ERROR/g
        sed s/e/E/
        sed s/e/E/g
        sed s/e/E/2
        sed s/ERROR/x/I
        sed -n s/error/ERROR/p
        sed -n 's/.*id=//p'
        sed 's/ id=.*//'
        sed 's/^/> /'
        sed 's/$/;/'
        sed 's/[0-9]//g'
        sed 's/[0-9]*/N/'
        sed 's/  */ /g'
        sed 's/^[^ ]* //'
        sed 's/.*/[&]/'
        sed 's/[a-z]*/\u&/'
        sed 's/[^ ]* /&&/'
        sed 's/\(.*\) id=\(.*\)/\2 \1/'
        sed -E 's/^([^ ]+) ([0-9]+) (.*)$/\2 \1/'
        sed -E 's/([a-z]+) id/\1 ID/g'
        sed -E 's/(error|warning)/<\1>/g'
        sed -E 's/[0-9]{6}/N/'
        sed -E 's/\b(user|admin)\b/X/g'
        sed -E 's/([a-z]+) \1/\1/'
        sed '/error/s/user/USER/'
        sed '/error/s/user/USER/;s/admin/ADMIN/'
        sed -e s/error/E/ -e s/warning/W/ -e /needle/d
        sed 's/error/E/g;s/warning/W/g;s/timeout/T/g'
        sed -n '/error/{s/.*id=//;p}'
        sed '/error/{s/user/u/;s/admin/a/}'
        sed '1,1000s/error/E/'
        sed '2,$s/error/E/'
        sed '/needle/a\after'
        sed '/needle/i\before'
        sed '/needle/c\changed'
        sed y/abc/ABC/
        sed y/0123456789/abcdefghij/
        sed -n l
        sed 'N;s/\n/ /'
        sed '$!N;P;D'
        sed -n 'h;n;G;p'
        sed G
        sed 'n;d'
        sed '$!N;s/\n/,/;='
        sed -n '1!G;h;$p' tenth
        sed ':a;s/ \([a-z]*\) id/_\1 id/;ta'
        sed -z s/error/E/
    """,
    "json": r"""
        sed -n /error/p
        sed 's/"level":"error"/"level":"E"/'
        sed 's/"path":"[^"]*"/"path":""/'
        sed -E 's/.*"path":"([^"]*)".*/\1/'
        sed 's/,/, /g'
        sed 's/[{}"]//g'
    """,
    "short": r"""
        sed -n 5,10p
        sed -n /77/p
        sed /77/d
        sed s/7/x/
        sed s/7/x/g
        sed 's/ .*//'
        sed -E 's/^([0-9]+) ([a-z]+)/\2 \1/'
        sed 1d
        sed p
    """,
    "text": r"""
        sed -n /straße/p
        sed s/straße/x/
        sed s/error/x/g
        sed 's/[[:alpha:]]*/x/'
        sed 's/é/e/g'
        sed y/éü/eu/
        sed 's/ .*//'
        sed -E 's/(\w+) (\w+)/\2 \1/'
        sed 's/./X/3'
    """,
}
# What has no bound: look-around and back-references need the engine that backtracks; ``D`` begins a cycle with what another left;
# the third match of each line beyond ASCII is asked for one by one.
BEYOND = {
    "log": r"""
        grep -oP 'id=\K\d+'
        grep -oP '(?<=id=)\d+'
        grep -P 'error(?! server)'
        grep -P '(\w+) \1 needle'
        sed '$!N;P;D'
    """,
    "text": """
        sed 's/./X/3'
    """,
}


def _rows() -> dict[str, float]:
    rows: dict[str, float] = {}
    for most, table in ((float("inf"), BEYOND), (MOST, GREPS), (MOST, SEDS)):
        for name, text in table.items():
            for line in text.strip().splitlines():
                script = line.strip()
                script += "" if script.endswith(" tenth") else f" {name}"
                rows.setdefault(script, most)
    return rows


SCRIPTS = _rows()
_WORDS = (
    "alpha beta gamma delta error warning timeout server client request response user admin file read write".split()
)
_BEYOND_ASCII = "größe straße naïve été error über ünder 日本語 user café Ελλάδα server déjà warning".split()


def furnish(folder: Path) -> None:
    """Make the inputs, the same each time."""
    chance = random.Random(3)

    def log(number: int) -> str:
        words = " ".join(chance.choices(_WORDS, k=8))
        line = f"2026-11-{number % 28 + 1:02d} {chance.randrange(10**6):06d} {words} id={chance.randrange(10**9)}"
        return line if number % 1000 else f"{line} needle"

    def json(number: int) -> str:
        level = chance.choice(("debug", "info", "info", "warn", "error"))
        path = "/".join(chance.choices(_WORDS, k=3))
        return (
            f'{{"time":{number},"level":"{level}","path":"/{path}","status":{chance.choice((200, 200, 404, 503))},'
            f'"ms":{chance.randrange(5000)},"user":"{chance.choice(_WORDS)}{chance.randrange(99)}"}}'
        )

    def short(number: int) -> str:
        return f"{number} {chance.choice(_WORDS)} {chance.randrange(10**5)}"

    def text(number: int) -> str:
        return " ".join(chance.choices(_BEYOND_ASCII, k=10))

    for line in (log, json, short, text):
        made: list[str] = []
        length = 0
        while length < SIZE:
            made.append(line(len(made) + 1) + "\n")
            length += len(made[-1])
        data = "".join(made).encode()
        (folder / line.__name__).write_bytes(data)
        if line is log:
            (folder / "tenth").write_bytes(data[: data.index(b"\n", SIZE // 10) + 1])


def ours(script: str, folder: Path) -> Act:
    """Run it in-process."""
    from pyshellhooks import Shell

    shell = Shell(cwd=str(folder), env={"LC_ALL": "C.UTF-8"})

    def act() -> None:
        result = shell.run(f"{script} > out", timeout=120)
        assert result.status in (0, 1), result

    return act


def real(script: str, folder: Path) -> Act:
    """Run it with the machine's tool."""
    env = {"LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"}

    def act() -> None:
        subprocess.run(["sh", "-c", f"exec {script} > out2"], cwd=folder, check=False, env=env)

    return act


def show(rounds: int, only: str = "") -> bool:
    """Print the table; says whether every ratio is within its bound."""
    print("\ngrep and sed on 10 MB: CPU, ours warm in-process, the machine's with the start of its process")
    good = True
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        furnish(folder)
        for script, most in SCRIPTS.items():
            if only not in script:
                continue
            own, theirs = beside(ours(script, folder), real(script, folder), rounds)
            ratio = own / theirs
            same = (folder / "out").read_bytes() == (folder / "out2").read_bytes()
            good = good and ratio <= most and same
            mark = "  MISSED" if ratio > most else "  (no bound)" if most > MOST else ""
            mark += "" if same else "  ANSWERS DIFFER"
            times = f"{spelled(own):>10} against {spelled(theirs):>10}"
            print(f"  {script:56} {times} {ratio:6.1f} ×{mark}", flush=True)
    return good
