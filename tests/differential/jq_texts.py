"""JSON texts, good and bad, and what jq and ours make of them: a row for each ``input``, after mistakes too.

``python -m tests.differential.jq_texts [jq]`` records the answers of the real jq in ``jq_texts.json``.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

from conformance.oracles import find
from tests.recorded import write

TABLE = Path(__file__).with_name("jq_texts.json")
ROWS = 100
# One row: [0, value] or [1, message], the file's name, the line.
PROGRAM = (
    "def go: (try [0,input] catch [1,.]) as $r | [$r, input_filename, input_line_number], "
    'if $r == [1,"break"] then empty else go end; limit(%d; go)'
)
FLAGS = {"raw": "-R", "slurp": "-s", "seq": "--seq", "stream": "--stream", "stream_errors": "--stream-errors"}
KINDS: list[dict[str, bool]] = [
    {},
    {"slurp": True},
    {"stream": True},
    {"stream_errors": True},
    {"seq": True},
    {"seq": True, "stream": True},
    {"seq": True, "stream_errors": True},
    {"stream": True, "slurp": True},
    {"seq": True, "slurp": True},
    {"raw": True},
    {"raw": True, "slurp": True},
]

DOCUMENTS: list[bytes] = [
    # several texts, ends
    b"", b" ", b"\n", b"1 2 3", b"1\n2\n", b"12", b"[1,2", b'"abc', b"tru", b"true", b"[1][2]", b'"a""b"', b'1[2]', b'1{"a":2}',
    b'1"a"2', b"\r\n1\r\n", b'{"a":1}\n{"a":2}\n\n\n{"a":3}', b"[1,2\n,3] 4\n5", b'"x" 1 null', b"[1,\n2,\n\"x\n", b"\x0b1",
    # numbers and words
    b"nan NaN nan1", b"Infinity -Infinity inf -nan sNaN", b"01 .5 5. +1 -.5 1e1000 -1e1000 1E5 1.0 1.10 -0 0.0 00 1e-400",
    b"123456789012345678901234567890 0.10000000000000000000001 100000000000000000", b"1x 2", b"truex", b"nul", b"n", b"nu", b"nulll",
    b"'a'", b"1\x002 3", b"\x00", b"true\x00", b"-", b"1e", b"--1", b"1.2.3", b"[0.001,0.0001,0.00001,123.0,-1.50,1e3]",
    # strings
    b'"a\nb"', b'"\t"', b'"\x7f"', b'"\x00"', b'"\\ud800"', b'"\\udc00x"', b'"\\ud83d\\ude00"', b'"\\ud83d\\u0041"', b'"\\ud83dx"',
    b'"\\\\ud83d\\ude00"', b'"\\u12"', b'"\\u12\xc3\xa9"', b'"\\u1\xc3\xa9"', b'"\\uzzzz"', b'"\\x"', b'"\\\n"', b'"\\u0000"', b'"\\"\\/\\b"',
    # bytes
    b"\xef\xbb\xbf1", b"\xef\xbb", b"\xef\xbb1", b"\xef1\n2", b"\xef", b"\xef\xbd\xa1", b"1 \xef\xbb\xbf", b'"\xff"', b'"\xe2"', b'"\xe2a"', b'"\xe2ab"',
    b'"\xe2\x82"', b'"\xf0\x9f\x98"', b'"\xed\xa0\x80"', b'"\xf4\x90\x80\x80"', b'"\xe0\x80\x80x"', b'"\xc0\x80"', b'"a\xe2\\u0041"', b"\xff",
    b"\xe2\n", b"a\xe2\nb\xf0\x9f\n", b"\xe2\x82\xac\r\nx\x00y",
    # marks
    b"[1,]", b"[,1]", b"[1 2]", b'{"a"}', b'{"a":}', b"{1:2}", b'{"a":1,}', b"{,}", b"{a:1}", b'{"a":1,"a":2,"b":3}', b'{"b":1,"a":2,"b":3}',
    b"[}", b"{]", b"]", b"}", b":", b",", b"1]", b"1,2", b"1:2", b'["a":1]', b'{"a":"b":"c"}', b'{"a" "b"}', b'{"a":1 "b":2}', b"[[1][2]]",
    b'{"a":{"b":1}"c":2}', b'{"a":1}}', b'{"a":1]', b"[1}", b'{"a":[}', b"[{]", b"{[]}", b"{{}}", b'{"a":1,[]}', b'{"a":1,{}}', b'{"a",}',
    b'{"a":1:2}', b"[1]{", b"[[1]{}]", b"[{}[]]", b"[{}{}]", b'{"a":{}{}}', b'{"a":[][]}', b'{"x":"y","z"}', b"1\n2\n]\n3\n", b"1 2 ] 3\n4\n",
    b'{"a":[1,{"b":2}],"c":{}} [] {} [[]] [{}] {"a":[]}', b'[1,{"a":2},3,]\n[3]', b'{"a":[1,2],"a":[3]}', b'{"a":{"b":[1,[2,{"d":4}',
    # RFC 7464
    b"\x1e1\n\x1e2\n", b"\x1e[1\x1e2\n\x1e3", b"1\n\x1e2\n", b'\x1e"ab\x1e2\n', b'\x1e"12\x1e2\n', b"\x1e12\x1e2\n", b'\x1e"\x1e2 3\n',
    b"\x1e[1, \x1e2\n", b"\x1e] 1 2\n\x1e3 ", b'\x1e"tr\x1e', b"\x1etru\x1e1 ", b"\x1etrue\x1e1 ", b"\x1e1\x1e\x1e\x1e2\n", b'\x1e{"a":\x1e1 ',
    b'\x1e"a\\\x1e"b" ',
]  # fmt: skip

_SEEDS = [
    b'{"a":1,"b":[true,false,null,"x\\n\\u00e9"],"c":{"d":{}}} [1,2] "s" 3.25\n',
    b'[1,\n 2, {"k": -0.5e3}]\n{"x":"\xc3\xa9\xf0\x9f\x98\x80"}\n12\n',
    b'nan Infinity -1 01 "\\ud83d\\ude00" [[],{}]\n"a""b"[1]{"q":[]}\n',
    b'\x1e{"a":1}\n\x1e[2,\n3]\n\x1e4\n\x1e"x"\n\x1etrue \x1enull\n',
    b'{"a":{"b":{"c":[1,[2,[3,{"d":4}]]]}},"a":2}\n[]\n{}\n',
    b'"' + b"x" * 40 + b'\\\\\\"\\/\\b\\f" \xef\xbb\xbf [0.10,1e5,1E-7,123456789012345678901234567890]',
]
_BITS = [
    b'"', b"\\", b"{", b"}", b"[", b"]", b",", b":", b" ", b"\n", b"\t", b"\r", b"\x1e", b"\x00", b"\x1f", b"n", b"nan", b"true", b"null",
    b"1", b"-", b"+", b".", b"e", b"0", b"\\u", b"\\ud8", b"\\udc00", b"\\ud800", b"\xe2", b"\x82", b"\xac", b"\xff", b"\xed\xa0\x80",
    b"\xef\xbb\xbf", b"'", b"#", b'"a":', b'"k"', b'{"a":1}', b"[1]", b"\n\n",
]  # fmt: skip


def mutate(chance: random.Random) -> bytes:
    """Make a text that is a little wrong."""
    text = chance.choice(_SEEDS)
    for _ in range(chance.choice([1, 1, 1, 2, 2, 3, 5])):
        start = chance.randrange(len(text) + 1)
        end = min(len(text), start + chance.choice([1, 1, 1, 2, 3, 8]))
        how = chance.randrange(6)
        if how == 0:
            text = text[:start] + text[end:]
        elif how < 3:
            text = text[:start] + chance.choice(_BITS) + text[start if how == 1 else end :]
        elif how == 3:
            text = text[:end] + text[start:]
        elif how == 4:
            text = text[:start] if chance.random() < 0.5 else text[start:]
        else:
            other = chance.choice(_SEEDS)
            begin = chance.randrange(len(other))
            text = text[:start] + other[begin : begin + chance.randrange(12)] + text[start:]
    return text


def is_comparable(text: bytes, kind: dict[str, bool]) -> bool:
    """Leave out --seq behind a broken byte order mark: jq's answer depends on how the text is cut into lines."""
    return not (kind.get("seq") and text[:1] == b"\xef" and text[:3] != b"\xef\xbb\xbf")


def real_rows(
    jq: str, text: bytes, kind: dict[str, bool], names: list[str] | None = None, cwd: str | None = None
) -> list[str]:
    """Return the rows that the real jq makes of a text."""
    flags = [FLAGS[name] for name in kind]
    done = subprocess.run(
        [jq, "-nc", *flags, PROGRAM % ROWS, *(names or [])], input=text, capture_output=True, cwd=cwd, check=False
    )
    rows = done.stdout.decode("utf-8", "replace").split("\n")[:-1]
    return [row.removeprefix("\x1e") for row in rows]


def answer(
    text: bytes,
    kind: dict[str, bool],
    names: list[str] | None = None,
    files: dict[str, bytes] | None = None,
    sizes: list[int] | None = None,
) -> list[str]:
    """Return our rows; ``sizes`` are those of the pieces that standard input comes in."""
    from pyshellhooks.utilities.jq.inputs import END, InputError, open_inputs
    from pyshellhooks.utilities.jq.json.writer import compact
    from pyshellhooks.utilities.jq.running import Run

    run = Run(make_call(text, files, sizes))
    inputs = open_inputs(run, names or [], **kind)
    rows: list[str] = []
    while len(rows) < ROWS:
        result: list[Any]
        try:
            value = inputs.next()
            result = [1, "break"] if value is END else [0, value]
        except InputError as error:
            value = None
            result = [1, str(error)]
        rows.append(compact(run, [result, inputs.file(), inputs.line()]))
        if value is END:
            break
    return rows


def make_call(text: bytes, files: dict[str, bytes] | None = None, sizes: list[int] | None = None) -> Any:
    """Make a call of jq with standard input and files."""
    from pyshellhooks.cancel import CancelScope
    from pyshellhooks.command import Call
    from pyshellhooks.fs.memory import MemoryFS
    from pyshellhooks.limits import Limits
    from pyshellhooks.streams import BytesReader, Capture, Stream

    class Pieces(Stream):
        """Gives the text in pieces."""

        def read(self, size: int = 65536, /) -> bytes:
            nonlocal at, turn
            assert sizes
            piece = text[at : at + sizes[turn % len(sizes)]]
            at += len(piece)
            turn += 1
            return piece

    at = turn = 0
    fs = MemoryFS()
    fs.mkdir("/w")
    for name, content in (files or {}).items():
        stream = fs.open(f"/w/{name}", os.O_WRONLY | os.O_CREAT).retain()
        stream.write(content)
        stream.release()
    return Call(
        ["jq"],
        env={},
        cwd="/w",
        fs=fs,
        stdin=(Pieces() if sizes else BytesReader(text)).retain(),
        stdout=Capture(1 << 20),
        stderr=Capture(1 << 20),
        scope=CancelScope(timeout=60),
        limits=Limits(),
        start=None,  # type: ignore[arg-type]
    )


def main() -> None:
    """Record all answers: for each text the rows, for each of ``KINDS`` (null where nothing is told)."""
    jq = sys.argv[1] if len(sys.argv) > 1 else find("jq") or "jq"
    version = subprocess.run([jq, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    rows = [[real_rows(jq, text, kind) if is_comparable(text, kind) else None for kind in KINDS] for text in DOCUMENTS]
    write(TABLE, rows, version=version)
    print(f"{len(rows)} texts of {version} in {TABLE}")


if __name__ == "__main__":
    main()
