"""What is found in many lines at once is what is found in each line alone."""

from __future__ import annotations

import random

import pytest

from pyshellhooks import Shell

LINES = [
    *(b"", b"\xff", b"\xff\xfe", b"a", b"\xc3", "é".encode(), "日本".encode(), b"an error here", "AN ERROR é".encode()),
    *(
        b"Warning: error",
        "größe warning".encode(),
        b"7",
        b"17 and 70",
        "\u212aey ſt İı".encode(),
        b"KEY st Ii",
        b"\xe9rror",
    ),
]
CALLS = [
    *("-c .", "-vc .", "-ci error", "-vci error", "-ci warning", "-ci key", "-ci ist", "-v 7", "-v error", "-v an"),
    *(
        "-vE 'error|warning'",
        "-vE '7|an|é'",
        "-vP 'error|warning'",
        "-nv 7",
        "-i error",
        "-iv WARNING",
        "-a .",
        "-av 7",
    ),
]


def of_each_line(shell: Shell, call: str, counts: bool) -> dict[bytes, int]:
    """Return how many lines grep says that each line is: too little data for anything but the plain way."""
    words = call if counts else "-c" + call[1:]
    return {line: int(shell.run(f"grep {words}", stdin=line + b"\n").stdout) for line in LINES}


@pytest.mark.one_in(4)
@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("odd", [1, 60], ids=["mixed", "text"])
def test_many_lines(call: str, odd: int) -> None:
    shell = Shell(env={"LC_ALL": "C.UTF-8"}, spawn=False)
    usual = [line for line in LINES if line and line.isascii()]
    chance = random.Random(call)
    lines = [chance.choice(usual if number % odd else LINES) for number in range(12_000)]
    data = b"\n".join(lines) + b"\n"
    counts = "c" in call.split()[0]
    alone = of_each_line(shell, call, counts)
    found = shell.run(f"grep {call}", stdin=data)
    if counts:
        assert int(found.stdout) == sum(alone[line] for line in lines)
        return
    assert found.status == 0
    if b"\0" in data or found.stderr:  # lines that are no text are withheld, and that is said
        return
    expected = [(number, line) for number, line in enumerate(lines, 1) if alone[line]]
    shown = [b"%d:%b" % (number, line) if "n" in call.split()[0] else line for number, line in expected]
    assert found.stdout == b"".join([line + b"\n" for line in shown])
