"""Random damage to scripts: tokens go, come twice, change places, or come from nowhere. All from one seed."""

from __future__ import annotations

import functools
import re
from contextlib import suppress
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parents[2]
TOKEN = re.compile(r"\s+|\w+|;;&?|;&|&&|\|\||<<-?|<<<|>>|\$\(\(|\)\)|\$\(|\$\{|\[\[|\]\]|.", re.DOTALL)
INSERTED = (
    *"$ $x ${ } ( ) (( )) $( $(( ` ' \" $' \\ ; & && || | < > << <<- <<< >& <( # ! { [[ ]] [ ] =~ = * ? : % @ ~".split(),
    *"if then elif else fi for in do done while until case esac ;; ;& function select time f() x=( x[ ]= a 1 -n".split(),
    "\n", " ", "\t", "é", "\\\n", "<<EOF\n", "\nEOF\n", "${x:-", "${x/", "${#", "\0", "\udc80",
)  # fmt: skip

# What a damaged script must not hold where it is run: loops and functions that may never end, jobs, other places.
UNSAFE = re.compile(
    r"\b(while|until|for|select|function|coproc|rm|mv|kill|sleep|exec|eval|yes|ulimit|source|fc|bind|suspend|wait|nohup"
    r"|timeout|env|sh|bash|jq|find|xargs|ln|chmod|tee|dd|mkfifo|sed|awk|trap|alias|hash|enable|cd|pushd|shopt|set|seq|date|grep|wc|time"
    r")\b"
    r"|\(\)|\(\s*\)|&(?!&)|~|\$\$|/(?!dev/null)|RANDOM|SECONDS|EPOCH|BASH|PID|\$-|\$_|\{\d+\.\."
)


# Other programs have differential tests of their own.
PROGRAMS = {path.stem for path in (ROOT / "pyshellhooks" / "utilities").iterdir()} | {"bc", "dc"}
PROGRAMS -= {"cat", "sort", "echo", "printf", "test", "true", "false", "pwd"}


def mutated(text: str, random: Random) -> str:
    """Damage a script at one to four places."""
    tokens = TOKEN.findall(text)
    for _ in range(random.randint(1, 4)):
        at = random.randrange(len(tokens) + 1)
        way = random.random()
        if way < 0.3 or not tokens:
            tokens.insert(at, random.choice(INSERTED))
        elif way < 0.6:
            del tokens[at : at + random.choice((1, 1, 2, 5))]
        elif way < 0.8:
            tokens[at:at] = tokens[at : at + random.choice((1, 2, 4))]
        else:
            other = random.randrange(len(tokens))
            at = min(at, len(tokens) - 1)
            tokens[at], tokens[other] = tokens[other], tokens[at]
    return "".join(tokens)


@functools.cache
def case_scripts() -> tuple[str, ...]:
    """Return the scripts of the conformance cases that run on a real file system."""
    from conformance.case import CASES, BadCase, ShellCase, load

    found = []
    for path in (*sorted((CASES / "shell").glob("*.toml")), *sorted((CASES / "utilities").glob("*.toml"))):
        with suppress(BadCase):  # somebody may be writing it
            found += [case.script for case in load([path]) if isinstance(case, ShellCase) and not case.virtual]
    return tuple(found)


def harmless(text: str) -> bool:
    """Say whether a damaged script may be run: it ends, and touches nothing but its directory."""
    if "\0" in text or "\udc80" in text or UNSAFE.search(text) is not None:
        return False
    return PROGRAMS.isdisjoint(re.findall(r"[\w-]+", text))
