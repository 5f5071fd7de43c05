"""Modules: what the real jq 1.8.2 fails an assertion at, or has no bounds for (conformance/cases/utilities/jq_modules.toml has the rest)."""

from __future__ import annotations

import os

import pytest

from pyshellhooks.cancel import CancelScope
from pyshellhooks.command import Call, execute
from pyshellhooks.errors import Stop
from pyshellhooks.fs.memory import MemoryFS
from pyshellhooks.limits import Limits
from pyshellhooks.streams import BytesReader, Capture
from pyshellhooks.utilities.jq import jq


def _make(files: dict[str, str]) -> MemoryFS:
    fs = MemoryFS()
    for name, text in files.items():
        path = f"/w/{name}"
        for at, letter in enumerate(path):
            if letter == "/" and at and not fs.exists(path[:at]):
                fs.mkdir(path[:at])
        stream = fs.open(path, os.O_WRONLY | os.O_CREAT).retain()
        stream.write(text.encode())
        stream.release()
    return fs


def _run(fs: MemoryFS, args: list[str], home: str | None) -> tuple[str, str, int]:
    out, error = Capture(1 << 20), Capture(1 << 20)
    with CancelScope(timeout=60) as scope:
        call = Call(
            ["jq", *args],
            env={} if home is None else {"HOME": home},
            cwd="/w",
            fs=fs,
            stdin=BytesReader(b"").retain(),
            stdout=out,
            stderr=error,
            scope=scope,
            limits=Limits(),
            start=None,  # type: ignore[arg-type]
        )
        status = execute(jq, call)
    return out.getvalue().decode(), error.getvalue().decode(), status


def test_functions_of_modules_of_modules() -> None:
    fs = _make(
        {
            "a.jq": 'import "b" as b; def a: b::y;',
            "b.jq": 'include "c"; def x: c; def y: [x];',
            "c.jq": 'def d: "d"; def c: d;',
        }
    )
    assert _run(fs, ["-nc", 'import "a" as a; a::a'], "/w") == ('["d"]\n', "", 0)


def test_links_lead_to_one_module() -> None:
    fs = _make({"real/a.jq": "def a: $__loc__.file;", "cycle.jq": 'import "again" as a;'})
    fs.symlink("real/a.jq", "/w/b.jq")
    fs.symlink("real", "/w/l")
    fs.symlink("cycle.jq", "/w/again.jq")
    program = 'import "b" as b; import "l/a" as a; b::a, a::a'
    assert _run(fs, ["-nc", program], "/w") == ('"/w/real/a.jq"\n' * 2, "", 0)
    assert _run(fs, ["-nc", "-Ll", "get_search_list"], "/w") == ('["/w/real"]\n', "", 0)
    message = "jq: error: circular import of /w/cycle.jq\n\njq: 1 compile error\n"
    assert _run(fs, ["-nc", 'import "cycle" as a; 1'], "/w") == ("", message, 3)


def test_files_are_read_again() -> None:
    """A program that imports, or a home with ``.jq``, is compiled each time."""
    for names in (["m.jq", 'include "m"; x'], [".jq", "x"]):
        for value in "12":
            fs = _make({names[0]: f"def x: {value};"})
            assert _run(fs, ["-n", names[1]], "/w") == (f"{value}\n", "", 0)
    assert _run(_make({"x": ""}), ["-n", "x"], "/w")[2] == 3


def test_modules_import_one_another_only_so_deep() -> None:
    files = {f"m{n}.jq": f'include "m{n + 1}"; def f{n}: f{n + 1};' for n in range(300)}
    files["m300.jq"] = "def f300: 1;"
    fs = _make(files)
    assert _run(fs, ["-n", 'include "m220"; f220'], None) == ("1\n", "", 0)
    with pytest.raises(Stop, match="deeper than 100"):
        _run(fs, ["-n", 'include "m0"; f0'], None)


def test_bytes_that_are_no_text() -> None:
    fs = _make({"x": ""})
    for name, data in (
        ("m.jq", b'def f: "\xff", "\xc3\xa9";'),
        ("d.json", b'["\xc3"]'),
        ("long.json", b"\xc3\xa9" * 70000),
    ):
        stream = fs.open(f"/w/{name}", os.O_WRONLY | os.O_CREAT).retain()
        stream.write(data)
        stream.release()
    assert _run(fs, ["-n", 'include "m"; f'], None)[0] == '"\ufffd"\n"\xe9"\n'
    assert _run(fs, ["-nc", 'import "d" as $d; $d'], None)[0] == '[["\ufffd"]]\n'
    assert _run(fs, ["-nc", 'import "long" as $d {raw: true}; $d | length, .[69999:]'], None)[0] == '70000\n"\xe9"\n'
