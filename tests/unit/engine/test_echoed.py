"""The ``echo`` of dash and texts of the payload: the table is asked of dash and bash, and so is the correction."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from pyshellhooks.engine.scripts.dash_echo import ANSWER, CHANGED, LINES, NONE, PAYLOAD, TEXT, echoes
from pyshellhooks.syntax.parser import parse

BLOCK = "echo no >&2; exit 2"
JUDGE = f'case "$C" in *rm*) {BLOCK};; esac'

#: By kind, calls that bash judges and dash does not.
CALLS = {
    NONE: "rm x",
    TEXT: r"printf 'a\c'; rm x",
    PAYLOAD: "cd x\nrm 'a\\d'",
    ANSWER: "cd x\nrm 'a\\d'",
    LINES: "cd x\nrm y",
}
#: A text, the kind of its echo, the parameter, the program that reads it.
ROWS = [
    # JSON of the payload
    (f'IN=$(cat); C=$(echo "$IN" | jq -r .tool_input.command); {JUDGE}', PAYLOAD, "IN", "jq"),
    (f'IN=$(cat -); if echo "$IN" | jq -r .tool_input.command | grep -q rm; then {BLOCK}; fi', PAYLOAD, "IN", "jq"),
    (f'IN=`cat`; C=`echo "$IN" | jq -r .tool_input.command`; {JUDGE}', PAYLOAD, "IN", "jq"),
    (f'IN=$(cat /dev/stdin); C=$(echo $IN | jq -r .tool_input.command); {JUDGE}', PAYLOAD, "IN", "jq"),
    (f'read -r IN; C=$(echo "$IN" | jq -r .tool_input.command); {JUDGE}', PAYLOAD, "IN", "jq"),
    (f'IN="$(cat)"; J=$IN; C=$(echo "$J" | jq -r .tool_input.command); {JUDGE}', PAYLOAD, "J", "jq"),
    (f'IN=${{X:-$(cat)}}; C=$(echo "$IN" | jq -r .tool_input.command); {JUDGE}', PAYLOAD, "IN", "jq"),
    (f'C=$(echo "$(cat)" | jq -r .tool_input.command); {JUDGE}', PAYLOAD, "", "jq"),
    (f'IN=$(cat | tee /dev/null); C=$(echo "$IN" | tee /dev/null | jq -r .tool_input.command); {JUDGE}', PAYLOAD, "IN", "jq"),
    (f'T=$(jq -c .tool_input); C=$(echo "$T" | jq -r .command); {JUDGE}', PAYLOAD, "T", "jq"),
    (f'IN=$(cat); C=$(echo -n "$IN" | jq -r .tool_input.command); {JUDGE}', PAYLOAD, "IN", "jq"),
    (f'IN=$(cat); C=$({{ echo "$IN"; }} | jq -r .tool_input.command); {JUDGE}', PAYLOAD, "IN", "jq"),
    (f'get() {{ echo "$IN" | jq -r ".tool_input.$1"; }}; IN=$(cat); C=$(get command); {JUDGE}', PAYLOAD, "IN", "jq"),
    (f'get() {{ echo "$1" | jq -r .tool_input.command; }}; IN=$(cat); C=$(get "$IN"); {JUDGE}', PAYLOAD, "1", "jq"),
    (f'get() {{ jq -r .tool_input.command; }}; IN=$(cat); C=$(echo "$IN" | get); {JUDGE}', PAYLOAD, "IN", "jq"),
    (f'main() {{ IN=$(cat); C=$(echo "$IN" | jq -r .tool_input.command); {JUDGE}; }}; main', PAYLOAD, "IN", "jq"),
    (f'IN=$(cat); C=$(echo "$IN" | python3 -c "import json,sys; print(json.load(sys.stdin)[\'tool_input\'][\'command\'])"); {JUDGE}', PAYLOAD, "IN", "python3"),
    (f'IN=$(cat); echo "$IN" | grep -q \'"command":.*rm\' && {{ {BLOCK}; }}; exit 0', LINES, "IN", "grep"),
    (f'IN=$(cat); C=$(echo "$IN" | sed -n \'s/.*"command": *"\\(.*\\)".*/\\1/p\'); {JUDGE}', LINES, "IN", "sed"),
    # a text of the payload
    (f'C=$(jq -r .tool_input.command); if echo "$C" | grep -q rm; then {BLOCK}; fi', TEXT, "C", "grep"),
    (f'C=$(jq -r ".tool_input.command // empty"); echo "$C" | grep -qE "rm|dd" && {{ {BLOCK}; }}; exit 0', TEXT, "C", "grep"),
    (f'C=$(jq -r .tool_input.command); D=$C; echo "x $D" | grep -q rm && {{ {BLOCK}; }}; exit 0', TEXT, "D", "grep"),
    (f'IN=$(cat); C=$(printf %s "$IN" | jq -r .tool_input.command); echo "$C" | awk "/rm/ {{ f=1 }} END {{ exit !f }}" && {{ {BLOCK}; }}; exit 0', TEXT, "C", "awk"),
    (f'jq -r .tool_input.command | while read -r l; do echo "$l" | grep -q rm && {{ {BLOCK}; }}; done', TEXT, "l", "grep"),
    # answers of JSON
    ('C=$(jq -r .tool_input.command); J=$(jq -n --arg r "no: $C" \'{"decision":"block","reason":$r}\'); echo "$J"', ANSWER, "J", ""),
    ('echo "$(jq -c \'{decision:"block",reason:.tool_input.command}\')"', ANSWER, "", ""),
    ("""echo '{"decision":"block","reason":"one\\ntwo"}'""", NONE, "", ""),
    ("""echo "{\\"decision\\":\\"block\\",\\"reason\\":\\"one\\\\ntwo\\"}" """, NONE, "", ""),
    ("""cat >/dev/null; echo '{"decision":"block","reason":"one\\ttwo"}'; exit 0""", NONE, "", ""),
]  # fmt: skip
#: Texts of which dash makes what bash does, on each of the calls.
SOUND = [
    f'IN=$(cat); C=$(printf "%s\\n" "$IN" | jq -r .tool_input.command); {JUDGE}',
    f'C=$(jq -r .tool_input.command); {JUDGE}',
    f'C=$(jq -r .tool_input.command); printf "%s" "$C" | grep -q rm && {{ {BLOCK}; }}; exit 0',
    f'IN=$(cat); C=$(/bin/echo "$IN" | jq -r .tool_input.command); {JUDGE}',
    f'echo() {{ printf "%s\\n" "$*"; }}; IN=$(cat); C=$(echo "$IN" | jq -r .tool_input.command); {JUDGE}',
    f'IN=$(cat); T=$(printf %s "$IN" | jq -r .tool_name); echo "$T" | grep -q Bash && {{ {BLOCK}; }}; exit 0',
    f'IN=$(cat); N=$(printf %s "$IN" | jq ".tool_input.command | length"); echo "$N" | grep -q x && {{ {BLOCK}; }}; exit 0',
    f'IN=$(cat); echo "$IN" | grep -q rm && {{ {BLOCK}; }}; exit 0',
    f'C=$(jq -r .tool_input.command); B=main; echo "$B" | grep -q main && {{ {BLOCK}; }}; exit 0',
    'C=$(jq -r .tool_input.command); echo "on it: $B"; exit 0',
    'C=$(jq -r .tool_input.command); echo "$C" | wc -c >/dev/null; exit 0',
    'C=$(jq -r .tool_input.command); echo "$C" >/dev/null; exit 2',
    """cat >/dev/null; echo '{"decision":"block","reason":"say \\"no\\""}'""",
    """cat >/dev/null; echo '{"decision":"block","reason":"no"}'""",
    """cat >/dev/null; J=$(jq -n '{"decision":"block","reason":"no"}'); echo "$J" """,
    "cat >/dev/null; echo 'a\\tb' | cat >/dev/null; exit 2",
]  # fmt: skip
#: Texts whose output dash changes, but only a person reads it.
HARMLESS = [
    'C=$(jq -r .tool_input.command); echo "$C" >&2; exit 2',
    'C=$(jq -r .tool_input.command); echo "$C" >> log; exit 2',
    'C=$(jq -r .tool_input.command); echo "$C" | sed "s/^/  /" >&2; exit 2',
    'C=$(jq -r .tool_input.command); echo "running $C"',
    'IN=$(cat); echo "$IN" >> payloads.log',
    'IN=$(cat); echo "$IN" | tee -a payloads.log',
    "echo 'one\\ntwo'",
    "git diff | { D=$(cat); echo \"$D\" | jq -r .x; }",
]  # fmt: skip


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_each_is_read(row: tuple[str, int, str, str]) -> None:
    text, kind, name, reader = row
    found = echoes(parse(text), text, has_input=True)
    assert [(one.kind, one.name, one.reader) for one in found] == [(kind, name, reader)]


@pytest.mark.parametrize("text", [*SOUND, *HARMLESS])
def test_nothing_is_read_into_a_sound_text(text: str) -> None:
    assert echoes(parse(text), text, has_input=True) == []


@pytest.mark.parametrize(
    ("command", "kinds"),
    [
        ("ls", []),
        ('grep "a b"', []),
        ("é /x", []),
        ("a\nb", [PAYLOAD, ANSWER, LINES]),
        ("a\tb", [PAYLOAD, ANSWER, LINES]),
        (r"grep '\.sh'", [PAYLOAD, ANSWER, LINES]),
        (r"printf 'a\n'", [TEXT, PAYLOAD, ANSWER, LINES]),
        (r"printf 'a\c'", [TEXT, PAYLOAD, ANSWER, LINES]),
        (r"echo \\x", [TEXT, PAYLOAD, ANSWER, LINES]),
    ],
)
def test_a_call_is_changed_by_its_backslashes(command: str, kinds: list[int]) -> None:
    payload = json.dumps({"tool_input": {"command": command}}).encode()
    assert [kind for kind, pattern in CHANGED.items() if pattern.search(payload)] == kinds


def test_an_endless_chain_ends() -> None:
    text = 'a=$b; b=$a; f() { f "$1"; echo "$a$1" | jq .; }; f "$a"; ' + "echo $(" * 30 + "cat" + ")" * 30
    assert echoes(parse(text), text, has_input=True) == []


#: Echoes of more words than one, and those whose place within backquotes is not known.
UNCORRECTED = ("echo -n", "x $D", "`")


def _judged(shell: str, text: str, payload: bytes, cwd: Path) -> bool:
    """Return whether a hook stops the call, as Claude Code reads it."""
    done = subprocess.run([shell, "-c", text], input=payload, capture_output=True, cwd=cwd, timeout=60)
    try:
        return done.returncode == 2 or json.loads(done.stdout or b"null") is not None
    except ValueError:
        return False


def _corrected(text: str) -> str:
    for one in reversed(echoes(parse(text), text, has_input=True)):
        if one.edit is not None:
            begin, end, new = one.edit
            text = text[:begin] + new + text[end:]
    return text


@pytest.mark.parametrize(
    ("echo", "corrected"),
    [
        ('echo "$IN"', "printf '%s\\n' \"$IN\""),
        ("echo $IN", "printf '%s\\n' \"$IN\""),
        ("echo ${IN}", "printf '%s\\n' \"${IN}\""),
        ("X=1 echo $IN", "X=1 printf '%s\\n' \"$IN\""),
        ('echo   "a $IN"', "printf '%s\\n' \"a $IN\""),
        ('echo 2>/dev/null "$IN"', 'echo 2>/dev/null "$IN"'),
        ('echo "$IN" 2>/dev/null', "printf '%s\\n' \"$IN\" 2>/dev/null"),
        ('echo -n "$IN"', 'echo -n "$IN"'),
        ("echo a$IN", "echo a$IN"),
    ],
)
def test_the_correction(echo: str, corrected: str) -> None:
    assert _corrected(f"IN=$(cat); {echo} | jq .") == f"IN=$(cat); {corrected} | jq ."


@pytest.mark.oracle
@pytest.mark.slow
@pytest.mark.parametrize("kind", CALLS)
def test_dash_and_bash_confirm_it(kind: int, program: Callable[..., str], tmp_path: Path) -> None:
    """dash 0.5.12 lets the call of each row pass, bash 5.2 stops it, and so does dash behind the correction."""
    dash, bash = program("dash"), program("bash")
    payload = json.dumps({"tool_name": "Bash", "tool_input": {"command": CALLS[kind]}}).encode() + b"\n"
    harmed = [text for text, own, *_ in ROWS if own == kind]
    assert harmed
    for text in harmed:
        assert _judged(bash, text, payload, tmp_path), text
        assert not _judged(dash, text, payload, tmp_path), text
        corrected = _corrected(text)
        assert corrected != text or any(one in text for one in UNCORRECTED), text
        assert corrected == text or _judged(dash, corrected, payload, tmp_path), corrected
    for text in SOUND:
        assert _judged(dash, text, payload, tmp_path) == _judged(bash, text, payload, tmp_path), text
