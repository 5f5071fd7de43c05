"""Native programs end lines with CR LF on Windows; readers of text drop that CR (decisions native children).

On other systems the host is made to mark the output of native programs, and the program writes the same bytes.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from pyshellhooks import HookEngine, Shell
from pyshellhooks.hooks.model import HookSpec
from pyshellhooks.host import current

PYTHON = sys.executable.replace("\\", "/")
NATIVE = b"deny\r\nb\rc\r\n\r\r\nend\r\n"
TEXT = b"deny\nb\rc\n\r\nend\n"


@pytest.fixture(autouse=True)
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(current()), "crlf", True)


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Shell:
    """Return a shell in whose scripts the function ``native`` writes its arguments' escapes by a native program."""
    place = tmp_path_factory.mktemp("line-ends")
    (place / "write.py").write_text(
        "import sys\nsys.stdout.buffer.write(''.join(sys.argv[1:]).encode().decode('unicode_escape').encode())\n"
    )
    return Shell(cwd=str(place), env={"PYTHON": PYTHON})


def run(shell: Shell, script: str, text_output: bool = False) -> bytes:
    result = shell.run(
        'native() { "$PYTHON" write.py "$@"; }; lines() { native "deny\\r\\n" "b\\rc\\r\\n\\r\\r\\n" "end\\r\\n"; }\n'
        + script,
        text_output=text_output,
    )
    assert (result.stderr, result.ended.kind) == (b"", "exited")
    return result.stdout


@pytest.mark.parametrize(
    "script",
    [
        'x=$(lines; echo .); printf "%s" "${x%.}"',
        "lines | while IFS= read -r x; do printf '%s\\n' \"$x\"; done",
        "lines | while IFS= read -r -t 9 x; do printf '%s\\n' \"$x\"; done",
        "lines | while IFS= read -r -N 1 x; do printf '%s' \"$x\"; done",
        "lines | { IFS= read -r -d '' x; printf '%s' \"$x\"; }",
        "lines | { mapfile x; printf '%s' \"${x[@]}\"; }",
        "mapfile x < <(lines); printf '%s' \"${x[@]}\"",
        "lines | grep ''",
        "lines | sed ''",
        "lines | awk 1",
        "lines | awk '{ print }' -",
        "lines | cut -c 1-",
        "lines | uniq",
        "lines | head",
        "lines | tail",
        "lines | jq -Rr .",
        "grep '' <(lines)",
        "sed '' < <(lines)",
        "f() { lines; }; f | grep ''",
        "lines > >(grep '')",
    ],
)
def test_readers_of_text(shell: Shell, script: str) -> None:
    assert run(shell, script) == TEXT


def test_sort(shell: Shell) -> None:
    assert run(shell, "native 'b\\r\\n' 'a\\r\\n' | sort") == b"a\nb\n"


@pytest.mark.parametrize("pipe", ["|", "|&"])
def test_awk_drops_it_of_its_commands(shell: Shell, pipe: str) -> None:
    program = r'BEGIN { c = ENVIRON["PYTHON"] " write.py deny\\\\r\\\\n"; c ' + pipe + " getline x; print x }"
    assert run(shell, f"awk '{program}'") == b"deny\n"


@pytest.mark.parametrize(
    "script",
    [
        "lines",
        "lines | cat",
        "lines | tee",
        "lines | head -c 99",
        "lines | grep -U ''",
        "lines > f; cat f",
        "lines > f; grep '' f",
        "lines > f; sed '' < f",
        "lines | base64 | base64 -d",
        'lines | "$PYTHON" -c "import sys; sys.stdout.buffer.write(sys.stdin.buffer.read())"',
    ],
)
def test_all_others_get_the_bytes(shell: Shell, script: str) -> None:
    assert run(shell, script) == NATIVE


def test_the_output_of_builtins_stays(shell: Shell) -> None:
    script = "both() { printf 'a\\r\\n'; native 'b\\r\\n'; printf 'c\\r\\n'; }\n"
    assert run(shell, script + "both | grep ''; x=$(both); printf '%s' \"$x\"") == b"a\r\nb\nc\r\n" + b"a\r\nb\nc\r"
    assert run(shell, script + "both | while IFS= read -r x; do printf '%s\\n' \"$x\"; done") == b"a\r\nb\nc\r\n"


def test_the_next_reader_gets_the_bytes(shell: Shell) -> None:
    assert run(shell, "lines | { read -r x; cat; }") == NATIVE.partition(b"\n")[2]
    assert run(shell, "lines | { head -c 5 > /dev/null; grep ''; }") == b"\n" + TEXT.partition(b"\n")[2]


def test_line_ends_between_two_reads_of_the_pipe(shell: Shell) -> None:
    code = "import sys, time\nfor c in b'a\\r\\nb\\r\\n\\r': sys.stdout.buffer.write(bytes([c])); sys.stdout.flush(); time.sleep(0.02)"
    script = f'slow() {{ "$PYTHON" -c "$CODE"; }}; export CODE="{code}"\n'
    assert run(shell, script + "slow | grep ''") == b"a\nb\n\r\n"
    assert run(shell, script + 'x=$(slow; echo .); printf "%s" "$x"') == b"a\nb\n\r."


@pytest.mark.parametrize(
    ("script", "output"),
    [
        (
            """awk 'BEGIN { c = "sleep 2; echo late"; PROCINFO[c, "READ_TIMEOUT"] = 100; print (c | getline x) }'""",
            b"-1\n",
        ),
        ("sleep 2 | { read -t 0.1 x; echo $?; }", b"142\n"),
    ],
)
def test_a_timeout_of_a_read(shell: Shell, script: str, output: bytes) -> None:
    assert run(shell, script) == output


def test_large_output(shell: Shell) -> None:
    code = "import sys; sys.stdout.buffer.write(b'0123456\\r\\n' * 100000)"
    script = f'large() {{ "$PYTHON" -c "{code}"; }}\n'
    assert run(shell, script + "large | grep -c '6$'") == b"100000\n"
    assert run(shell, script + "large | grep -c $'\\r'; true") == b"0\n"
    assert run(shell, script + "large | wc -c; x=$(large); echo ${#x}") == b"900000\n799999\n"


def test_the_output_that_an_engine_reads(shell: Shell) -> None:
    assert run(shell, "lines", text_output=True) == TEXT
    assert run(shell, "lines > f; cat f", text_output=True) == NATIVE


def test_a_hook_s_answer(tmp_path: Path) -> None:
    (tmp_path / "x.py").write_bytes(
        b"import sys\nsys.stdout.buffer.write(b'out\\r\\n')\nsys.stderr.buffer.write(b'no\\r\\nway\\r\\n')\nsys.exit(2)\n"
    )
    spec = HookSpec("PreToolUse", '"$PYTHON" x.py')
    engine = HookEngine("claude_code", [spec], cwd=str(tmp_path), env={"PYTHON": PYTHON})
    verdict = engine.fire("PreToolUse", tool_name="Bash", tool_input={"command": "ls"})
    assert (verdict.hooks[0].stdout, verdict.hooks[0].stderr) == ("out\n", "no\nway\n")
    assert verdict.decision == "deny" and verdict.reason.endswith("no\nway")


@pytest.mark.not_on_windows("not-windows")
def test_elsewhere_a_carriage_return_stays(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(current()), "crlf", False)
    for script in ("lines", "lines | grep ''", 'x=$(lines; echo .); printf "%s" "${x%.}"'):
        assert run(shell, script, text_output=True) == NATIVE
