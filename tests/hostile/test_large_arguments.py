"""A guard that looks at a large argument takes time linear in its length, whatever characters are in it.

The model chooses the length. A guard that needs seconds for what bash and the tools need milliseconds for is timed out, and a
timeout lets the call go ahead on most systems. Left out are loops that copy what is left at each turn (``c=${c#* }``, awk's
``s=substr(s, 2)``): their time is quadratic under bash 5.2 and gawk 5.2, too.
"""

from __future__ import annotations

import json
import time

import pytest

from pyshellhooks import Shell

pytestmark = pytest.mark.not_on_windows("needs-sandbox")

COMMAND = "jq -r .tool_input.command"
GUARDS = {
    "awk-substr": COMMAND + " | awk '{n=length($0); for(i=1;i<=n;i++) if (substr($0,i,1)==\"~\") exit 2}'",
    "awk-substr-length": COMMAND + " | awk '{for(i=1;i<=length($0);i++) if (substr($0,i,1)==\"~\") exit 2}'",
    "awk-substr-variables": COMMAND + " | awk '{s=$0; t=tolower(s); for(i=1;i<=length(s);i++) if (substr(t,i,1)==\"~\") exit 2}'",
    "awk-split": COMMAND + ' | awk \'{n=split($0,c,""); for(i=1;i<=n;i++) if (c[i]=="~") exit 2}\'',
    "awk-fields": COMMAND + " | awk '{for(i=1;i<=NF;i++) if ($i==\"~\") exit 2}'",
    "awk-records": COMMAND + " | awk 'BEGIN{RS=\" \"} $0==\"rm\"{exit 2}'",
    "read-words": COMMAND + " | tr ' ' '\\n' | while read -r w; do case $w in rm) exit 2;; esac; done",
    "for-words": f"for w in $({COMMAND}); do case $w in rm) exit 2;; esac; done",
    "read-array": f"read -ra W <<< \"$({COMMAND})\"; for w in \"${{W[@]}}\"; do [[ $w == rm ]] && exit 2; done; exit 0",
    "mapfile": f"mapfile -t W < <({COMMAND} | tr ' ' '\\n'); for w in \"${{W[@]}}\"; do [ \"$w\" = rm ] && exit 2; done; exit 0",
    "characters": f"c=$({COMMAND}); for ((i=0;i<${{#c}};i++)); do [[ ${{c:i:1}} == '~' ]] && exit 2; done; exit 0",
    "read-character": COMMAND + " | while IFS= read -r -n1 c; do [ \"$c\" = '~' ] && exit 2; done",
    "shift": f"set -f; set -- $({COMMAND}); while [ $# -gt 0 ]; do [ \"$1\" = rm ] && exit 2; shift; done; exit 0",
    "shift-in-function": f'g() {{ while [ "${{1+x}}" ]; do [ "$1" = rm ] && exit 2; shift; done; }}; set -f; g $({COMMAND})',
    "replace": f"c=$({COMMAND}); [[ ${{c//a/}} == *rm* ]] && exit 2; exit 0",
    "pattern": f"c=$({COMMAND}); case $c in *a*b*c*|*r*m*-*~*) exit 2;; esac; exit 0",
    "quoted": f"c=$({COMMAND}); q=$(printf %q \"$c\"); case $q in *rm*) exit 2;; esac; exit 0",
    "grep": COMMAND + " | grep -qE 'rm +-(rf|fr)' && exit 2; exit 0",
    "grep-o": COMMAND + " | grep -oE '[a-z]+' | grep -qx rm && exit 2; exit 0",
    "sed": COMMAND + " | sed 's/[ab]//g' | grep -q rm && exit 2; exit 0",
    "fold": COMMAND + " | fold -w1 | grep -q '~' && exit 2; exit 0",
    "sort": COMMAND + " | tr ' ' '\\n' | sort -u | grep -qx rm && exit 2; exit 0",
    "jq-split": "jq -e '.tool_input.command | split(\" \") | any(. == \"rm\")' >/dev/null && exit 2; exit 0",
    "jq-scan": "jq -e '[.tool_input.command | scan(\"[a-z]+\")] | any(. == \"rm\")' >/dev/null && exit 2; exit 0",
    "jq-explode": "jq -e '.tool_input.command | explode | any(. == 126)' >/dev/null && exit 2; exit 0",
}  # fmt: skip
WORDS = {"ascii": "a b ", "other": "é b "}
SMALL = 8_000  # words
TIMES = 4
NOISE = 0.1  # seconds of processor time


def seconds(guard: str, word: str, count: int) -> float:
    """Return the processor time of a guard, which has to deny."""
    data = json.dumps({"tool_input": {"command": word * count + "rm -rf ~"}}, ensure_ascii=False).encode()
    begun = time.process_time()
    outcome = Shell.sandbox({}).run(guard, stdin=data, timeout=100)
    assert outcome.status == 2, outcome.ended
    return time.process_time() - begun


@pytest.mark.slow
@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("guard", GUARDS)
def test_four_times_the_length_takes_four_times_the_time(guard: str, word: str) -> None:
    text = GUARDS[guard]
    small = min(seconds(text, WORDS[word], SMALL) for _ in range(2))
    large = seconds(text, WORDS[word], TIMES * SMALL)
    assert large < 2.5 * TIMES * small + NOISE  # quadratic: 4 * TIMES
