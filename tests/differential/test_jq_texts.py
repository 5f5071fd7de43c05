"""Our reader of JSON texts against jq 1.8.2: recorded answers, and random texts where the real program is here."""

from __future__ import annotations

import json
import os
import random
import subprocess
from pathlib import Path
from typing import Any

import pytest
from jq_beside import need_jq
from jq_texts import DOCUMENTS, KINDS, TABLE, answer, is_comparable, make_call, mutate, real_rows

from tests.recorded import read

RECORDED: dict[str, Any] = read(TABLE)


@pytest.fixture(scope="module")
def jq() -> str:
    """Return the real program."""
    if os.name == "nt":
        pytest.skip("the real jq here is a POSIX program")
    return need_jq()


def test_the_table_is_of_the_jq_we_claim_to_be() -> None:
    assert RECORDED["version"] == "jq-1.8.2"
    assert len(RECORDED["cases"]) == len(DOCUMENTS)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: "-".join(kind) or "values")
@pytest.mark.parametrize("sizes", [None, [1], [2], [3, 1]], ids=["whole", "1", "2", "3-1"])
def test_recorded(kind: dict[str, bool], sizes: list[int] | None) -> None:
    column = KINDS.index(kind)
    wrong = []
    for text, rows in zip(DOCUMENTS, RECORDED["cases"], strict=True):
        if rows[column] is not None:
            got = answer(text, kind, sizes=sizes)
            if got != rows[column]:
                wrong.append((text, got, rows[column]))
    assert wrong == []


@pytest.mark.oracle
def test_the_record_equals_the_real_jqs_answers(jq: str) -> None:
    stale = [
        (text, kind)
        for text, rows in list(zip(DOCUMENTS, RECORDED["cases"], strict=True))[::5]
        for kind, told in zip(KINDS, rows, strict=True)
        if told is not None and told != real_rows(jq, text, kind)
    ]
    assert stale == []


@pytest.mark.oracle
def test_texts_that_are_a_little_wrong(jq: str) -> None:
    chance = random.Random(1182)
    wrong = []
    for _ in range(400):
        text, kind = mutate(chance), chance.choice(KINDS)
        if is_comparable(text, kind):
            asked = real_rows(jq, text, kind)
            for sizes in (None, [chance.randrange(1, 9), chance.randrange(1, 5)]):
                got = answer(text, kind, sizes=sizes)
                if got != asked:
                    wrong.append((text, kind, sizes, got, asked))
    assert wrong == []


@pytest.mark.oracle
def test_files_and_long_lines(jq: str, tmp_path: Path) -> None:
    chance = random.Random(3)
    contents = [b"", b"1", b"1\n", b"\n2", b"[1,\n", b"2]\n3 ", b'"x', b'y"\n', b"tr", b"ue", b"4 5\n6\n", b'{"a":\n1}\n', b"]\n7\n",
                b"\xe2", b'\x82\xac"\n', b"\xef\xbb\xbf8\n", b"8 ] 9"]  # fmt: skip
    wrong = []
    for turn in range(150):
        files = {}
        for name in "abc":
            (tmp_path / name).unlink(missing_ok=True)
            if chance.random() < 0.8:
                files[name] = chance.choice(contents) if turn % 3 else _long_lines(chance)
                (tmp_path / name).write_bytes(files[name])
        names = chance.sample("abc-", chance.randrange(1, 4))
        kind = chance.choice([{}, {}, {"stream_errors": True}, {"raw": True}, {"slurp": True}, {"seq": True}])
        asked = real_rows(jq, b'"in"\n', kind, names, str(tmp_path))
        got = answer(b'"in"\n', kind, names, files)
        if got != asked:
            wrong.append((names, files, kind, got, asked))
    assert wrong == []


def _long_lines(chance: random.Random) -> bytes:
    """Make lines around the 4091 bytes that jq reads at once."""
    parts = []
    for _ in range(chance.randrange(1, 5)):
        letter = chance.choice(["x", "é", "€", "😀", "xé€😀"])
        size = chance.choice([1, 4085, 4088, 4089, 4090, 4091, 4092, 8181, 8182, 8183]) // len(letter.encode())
        parts.append(
            chance.choice([f'"{letter * size}"', " " * size + "1", f'"{letter * (size // 2)}\n"', "]", "1x", '{"a":1}'])
        )
        parts.append(chance.choice(["\n", "\n", " ", "", " \n\n", ","]))
    return "".join(parts).encode()


@pytest.mark.oracle
def test_texts_in_strings(jq: str) -> None:
    from pyshellhooks.utilities.jq.errors import JqError
    from pyshellhooks.utilities.jq.json.reader import read_text
    from pyshellhooks.utilities.jq.json.writer import compact
    from pyshellhooks.utilities.jq.running import Run

    chance = random.Random(5)
    texts = [mutate(chance).decode("utf-8", "replace") for _ in range(2000)]
    texts += ["\uff61", "\ufeff1", "\ufeff", "", "1 ]", "1 2 ]", "a\0b", "[" * 10001, '{"a":' * 5001]
    done = subprocess.run(
        [jq, "-c", ".[]|try [0,fromjson] catch [1,.]"],
        input=json.dumps(texts).encode(),
        capture_output=True,
        check=True,
    )
    run = Run(make_call(b""))
    wrong = []
    for text, row in zip(texts, done.stdout.decode().split("\n"), strict=False):
        try:
            got = compact(run, [0, read_text(run, text)])
        except JqError as error:
            got = compact(run, [1, error.value])
        if got != row:
            wrong.append((text, got, row))
    assert wrong == []


@pytest.mark.oracle
def test_slurped_files(jq: str, tmp_path: Path) -> None:
    from pyshellhooks.utilities.jq.json.reader import ParseError, read_values
    from pyshellhooks.utilities.jq.json.writer import compact
    from pyshellhooks.utilities.jq.running import Run

    chance = random.Random(9)
    run = Run(make_call(b""))
    wrong = []
    for turn in range(150):
        data = mutate(chance)
        if turn % 2:
            # jq sees no end behind a block of 4096 bytes that is full.
            tail = chance.choice([b"1", b"[1", b'"x', b"tru", b'"\xe2', b'"\xe2\x82\xac"', b' "\xc3\xa9"', b"]"])
            data = b'"' + chance.choice([b"x", b"\xe2\x82\xac", b"\xc3\xa9"]) * chance.randrange(1300) + b'"'
            data += b" " * (chance.choice([4095, 4096, 4097, 4098, 8192, 8194]) - len(data) - len(tail)) + tail
        (tmp_path / "f").write_bytes(data)
        done = subprocess.run(
            [jq, "-nc", "--slurpfile", "a", "f", "$a"], capture_output=True, cwd=tmp_path, check=False
        )
        asked = (done.stdout or done.stderr).decode("utf-8", "replace")
        try:
            got = compact(run, read_values(run, data)) + "\n"
        except ParseError as error:
            got = f"jq: Bad JSON in --slurpfile a f: {error}\n"
        if got != asked:
            wrong.append((data, got, asked))
    assert wrong == []
