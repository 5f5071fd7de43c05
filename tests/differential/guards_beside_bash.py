"""Guards of many shapes on payloads of every hostile kind, beside bash and jq: ``python -m tests.differential.guards_beside_bash``.

What is told apart: a **silent allow** (the real guard denies, ours lets the call go ahead and nothing says so), a
**visible** one (ours was ended by a limit or a refusal, which a verdict tells and denies), and any other difference of
status or output. ``--guards`` and ``--payloads`` take every so many of the table.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import subprocess
import tempfile
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import NamedTuple

from conformance.oracles import COREUTILS, search_path
from pyshellhooks import Exited, Result, Shell

PATH = search_path("/usr/bin:/bin")
# What the guards are compared on.
COMPARED = ("bash", "jq", "awk", "grep", "sed", "find", "xargs", "diff", "bc", "xxd", *COREUTILS)
SECONDS = 60.0

# Where the command comes from.
TAKEN = {
    "cat": "I=$(cat); C=$(echo \"$I\" | jq -r '.tool_input.command // empty')",
    "direct": "C=$(jq -r .tool_input.command)",
    "printf": "I=$(cat); C=$(printf '%s' \"$I\" | jq -r '.tool_input.command // \"\"')",
    "here": "I=$(cat); C=$(jq -r '.tool_input.command' <<< \"$I\")",
    "read": "IFS= read -r I; C=$(printf '%s\\n' \"$I\" | jq -r '.tool_input | .command? // empty')",
    "tojson": "C=$(jq -c '.tool_input')",
    "sed": 'C=$(sed -n \'s/.*"command": *"\\(.*\\)".*/\\1/p\')',
    "grep": 'C=$(grep -o \'"command": *"[^"]*"\' | cut -d\'"\' -f4)',
    "export": "export I=\"$(cat)\"; C=$(jq -nr 'env.I | fromjson? | .tool_input.command?')",
    "join": "C=$(jq -r '[.tool_input[]? | tostring] | join(\" \")')",
    "tr": "C=$(jq -r '.tool_input.command' | tr '\\n' ' ' | tr -s ' ')",
    "args": "I=$(cat); C=$(jq -nr --arg i \"$I\" '$i | fromjson | .tool_input.command')",
}
# How it is looked at: true where it is forbidden.
LOOKED = {
    "grep -q": "echo \"$C\" | grep -q 'rm -rf'",
    "grep -E": "printf '%s' \"$C\" | grep -qE 'rm +-(rf|fr)\\b'",
    "grep -i": "grep -qi 'RM -RF' <<< \"$C\"",
    "grep -w": "echo \"$C\" | grep -qwF 'rm -rf'",
    "case": 'case "$C" in *"rm -rf"*) true ;; *) false ;; esac',
    "glob": '[[ $C == *"rm -rf"* ]]',
    "regex": "[[ $C =~ rm[[:space:]]+-rf ]]",
    "replace": '[ "${C/rm -rf/}" != "$C" ]',
    "suffix": '[ "${C%%rm -rf*}" != "$C" ]',
    "awk": "echo \"$C\" | awk '/rm -rf/ { found = 1 } END { exit !found }'",
    "sed": "[ -n \"$(printf '%s\\n' \"$C\" | sed -n '/rm *-rf/p')\" ]",
    "words": "found=1; for word in $C; do case $word in -rf) found=0 ;; esac; done; [ $found = 0 ]",
    "lines": 'found=1; while IFS= read -r line; do [[ $line == *rm\\ -rf* ]] && found=0; done <<< "$C"; [ $found = 0 ]',
    "jq": 'jq -en --arg c "$C" \'$c | test("rm\\\\s+-rf")\' >/dev/null',
    "allow list": "! [[ $C =~ ^(ls|git\\ status)[[:space:]]*[a-z./]*$ ]]",
    "set": 'set -f; set -- $C; set +f; [ "${1-}" = rm ]',
    "length": '[ "${#C}" -gt 40 ] || [ -z "$C" ]',
    "tr": "[ \"$(printf %s \"$C\" | tr -cd 'rmf-')\" = 'rm-rf' ]",
}
# How a deny is said.
SAID = {
    "status": "echo 'not here' >&2; exit 2",
    "quoted": 'jq -cn --arg reason "no: $C" \'{decision: "deny", reason: $reason}\'; exit 0',
    "printf": 'printf \'{"decision": "deny", "length": %d}\\n\' "${#C}"; exit 0',
    "strict": 'set -eu; echo "denied: $C" | head -c 80 >&2; exit 2',
}

BAD = (
    "rm -rf /", "rm -rf", "ls; rm -rf x", "rm\t-rf x", "rm  -rf x", "x\nrm -rf y", "rm -rf y\nz", "rm -fr x", "sudo rm -rf /", "RM -RF /", "rm -\nrf",
    "echo 'rm -rf'", 'echo "rm -rf"', "r''m -rf", "rm -rf\u0000", "\u0000rm -rf", "rm\u00a0-rf", "rm -rf é", "ｒｍ -rf", "e\u0301 rm -rf", "\u202erm -rf", "ırm -rf", "rm -rf\u0301",
    "-n rm -rf", "-e rm -rf", "\\rm -rf", "rm\\ -rf", "$(rm -rf x)", "`rm -rf x`", "${x}rm -rf", "%s rm -rf", "\\n rm -rf", "rm -rf \\", "* rm -rf *", "[a] rm -rf ?",
    "rm -rf " + "a" * 5000, "a" * 5000 + " rm -rf", "a b " * 3000 + "rm -rf", "\n" * 500 + "rm -rf", "rm -rf \r\n", "\r rm -rf", "rm -rf\x7f\x1b[0m", "~ rm -rf", "!rm -rf", "&& rm -rf",
    "rm -rf \U0001f600", "\ufeffrm -rf", "rm -rf \ud800",
)  # fmt: skip
GOOD = (
    "ls",
    "git status",
    "ls -la src",
    "",
    " ",
    "\n",
    "rm x",
    "echo hi\n",
    "ls \ud800",
    "é",
    "-n",
    "-e",
    "--",
    "'",
    '"',
    "\\",
    "%",
    "$C",
    "a\u0000b",
    "0",
    "null",
    "false",
    "*",
)


class Row(NamedTuple):
    """A payload as bytes."""

    name: str
    data: bytes


def payloads() -> list[Row]:
    """Return the payloads: each text in several positions, values of other kinds, and texts that are no JSON."""
    rows = []
    for text in (*BAD, *GOOD):
        shown = ascii(text)[:40]
        whole = {"session_id": "s", "tool_name": "Bash", "tool_input": {"command": text, "description": "x"}}
        rows.append(Row(f"command {shown}", json.dumps(whole).encode()))
        rows.append(
            Row(f"utf-8 {shown}", json.dumps(whole, ensure_ascii=False, indent=1).encode("utf-8", "surrogatepass"))
        )
        other = {"tool_input": {"command": "ls", "description": text}, "extra": text}
        rows.append(Row(f"elsewhere {shown}", json.dumps(other).encode() + b"\n"))
        rows.append(Row(f"key {shown}", json.dumps({"tool_input": {text: "rm -rf", "command": "ls"}}).encode()))
    kinds = [
        "null",
        "true",
        "1",
        "1.50",
        "1e999",
        "-0",
        "[]",
        '["rm -rf"]',
        "{}",
        '{"a":"rm -rf"}',
        "100000000000000000001",
        '"\\ud800"',
        '"\\u0000"',
    ]
    rows += [Row(f"value {kind}", f'{{"tool_input":{{"command":{kind}}}}}'.encode()) for kind in kinds]
    texts = [
        b"", b"\n", b"null", b"[]", b'"rm -rf"', b"rm -rf", b"{", b'{"tool_input":', b'{"tool_input":{}}', b'{"tool_input":null}', b'{"tool_input":"rm -rf"}', b'{"tool_input":["rm -rf"]}',
        b'\xef\xbb\xbf{"tool_input":{"command":"rm -rf"}}', b'{"tool_input":{"command":"rm -rf"}} x', b'{"tool_input":{"command":"ls"}}\n{"tool_input":{"command":"rm -rf"}}',
        b'{"tool_input":{"command":"rm -rf","command":"ls"}}', b'{"tool_input":{"command":"ls","command":"rm -rf"}}', b'{"tool_input":{"command":"rm -rf\xff"}}', b'{"tool_input":{"command":"\xc3 rm -rf"}}',
        b'{"tool_input":{"command":"rm -rf"},}', b"{'tool_input':{'command':'rm -rf'}}", b'{"tool_input":{"command":"rm -rf"}}\0', b'\0{"tool_input":{"command":"rm -rf"}}',
        b'{"tool_input":{"command":"rm\\u0020-rf"}}', b'{"tool_input":{"comm\\u0061nd":"rm -rf"}}', b'{"tool_input":{"command":"rm -rf\\ud83d\\ude00"}}', b"[" * 400 + b"]" * 400,
        b'{"a":' * 300 + b"1" + b"}" * 300, b'{"tool_input":{"command":"' + b"a" * 200_000 + b' rm -rf"}}', b'{"x":"' + b"\\n" * 50_000 + b'","tool_input":{"command":"rm -rf"}}',
    ]  # fmt: skip
    return rows + [Row(f"text {text[:30]!r}", text) for text in texts]


def guards() -> list[tuple[str, str]]:
    """Return the guards: every way to take and every way to look, each with a way to say no."""
    said = itertools.cycle(SAID.items())
    found = []
    for (taken, take), (looked, look) in itertools.product(TAKEN.items(), LOOKED.items()):
        name, say = next(said)
        found.append((f"{taken}, {looked}, {name}", f"{take}\nif {look}; then\n  {say}\nfi\nexit 0\n"))
    return found


Answer = tuple[int, bytes]
# What bash says where the kernel starts no program: one argument may have 128 KiB (execve(2), MAX_ARG_STRLEN).
TOO_LONG = b"Argument list too long"


def real(script: str, data: bytes, place: str) -> tuple[Answer, bytes]:
    """Ask bash, jq and the GNU tools; return their answer and what they wrote to stderr."""
    done = subprocess.run(
        ["bash", "-c", script], input=data, capture_output=True, cwd=place, env={"PATH": PATH, "LC_ALL": "C.UTF-8"}, timeout=SECONDS, check=False
    )  # fmt: skip
    return (done.returncode, done.stdout), done.stderr


def denies(answer: Answer) -> bool:
    """Say whether an answer holds the call back, as most systems read it."""
    return answer[0] == 2 or b'"deny"' in answer[1]


def is_utf8(data: bytes) -> bool:
    """Say whether bytes are text."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


class Found:
    """What came of a comparison."""

    def __init__(self) -> None:
        self.tally: Counter[str] = Counter()
        self.lines: list[str] = []

    def add(self, kind: str, guard: str, row: Row, real_: Answer, ours: object) -> None:
        """Count a difference, and keep it to be shown."""
        self.tally[kind] += 1
        self.lines.append(f"{kind}: {guard} on {row.name}\n    bash {real_!r:.200}\n    ours {ours!r:.200}")


def difference(expected: Answer, result: Result) -> tuple[str, object]:
    """Say how our run differs from the real answer, ``""`` where it does not, and what ours came to."""
    if not isinstance(result.ended, Exited):
        return "visible", result.ended
    answer = result.status, result.stdout
    if denies(expected) and not denies(answer):
        return "silent allow", answer
    if denies(answer) and not denies(expected):
        return "deny more", answer
    return "otherwise" if answer != expected else "", answer


def compare(step_guards: int = 1, step_payloads: int = 1, first: int = 0) -> Found:
    """Run the table, or every so many of its rows and columns from row and column ``first`` on."""
    found = Found()
    chosen = payloads()[first % step_payloads :: step_payloads]
    with tempfile.TemporaryDirectory() as place, ThreadPoolExecutor(os.cpu_count()) as pool:
        shell = Shell(cwd=place, env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"}, spawn=False)
        for guard, script in guards()[first % step_guards :: step_guards]:
            asked = partial(real, script, place=place)
            for row, (expected, said) in zip(chosen, pool.map(asked, (one.data for one in chosen)), strict=True):
                result = shell.run(script, stdin=row.data, timeout=SECONDS)
                found.tally["compared"] += 1
                kind, answer = difference(expected, result)
                if kind in ("deny more", "otherwise") and denies(answer) and TOO_LONG in said:
                    found.tally["deny more, where bash can't start a tool"] += 1
                elif kind == "deny more" and not is_utf8(row.data):
                    found.tally["deny more, of what is no UTF-8"] += 1  # bash's ${x/y/} finds nothing there
                elif kind:
                    found.add(kind, guard, row, expected, answer)
    return found


def run(parser: argparse.ArgumentParser, compare: Callable[..., Found], size: str) -> None:
    """Compare as the command's options say, and print what differs; ``size`` says how large the whole table is."""
    parser.add_argument("--guards", dest="step_guards", type=int, default=1, metavar="N", help="every Nth guard")
    parser.add_argument("--payloads", dest="step_payloads", type=int, default=1, metavar="N", help="every Nth payload")
    parser.add_argument("--first", type=int, default=0, metavar="N", help="begin at row and column N modulo these")
    found = compare(**vars(parser.parse_args()))
    print(*found.lines, sep="\n")
    print(dict(found.tally), f"({size} in the table)")


if __name__ == "__main__":
    words = argparse.ArgumentParser(prog="python -m tests.differential.guards_beside_bash", description=__doc__)
    run(words, compare, f"{len(guards())} guards, {len(payloads())} payloads")
