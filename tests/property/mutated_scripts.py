"""Random damage to scripts: tokens go, come twice, change places, or come from nowhere. All from one seed."""

from __future__ import annotations

import re
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
    r"|timeout|env|sh|bash|jq|find|xargs|ln|chmod|tee|dd|mkfifo|sed|awk|trap|alias|hash|enable|cd|pushd|shopt|set|seq|date|grep|wc|time)\b"
    r"|\(\)|\(\s*\)|&(?!&)|~|\$\$|/(?!dev/null)|RANDOM|SECONDS|EPOCH|BASH|PID|\$-|\$_|\{\d+\.\."
)


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


def case_scripts() -> list[str]:
    """Give the scripts of the conformance cases."""
    from conformance.case import ShellCase, load

    found = load([ROOT / "conformance" / "cases" / "shell"])
    return [case.script for case in found if isinstance(case, ShellCase)]


def harmless(text: str) -> bool:
    """Say whether a damaged script may be run: it ends, and touches nothing but its directory."""
    return "\0" not in text and "\udc80" not in text and UNSAFE.search(text) is None
