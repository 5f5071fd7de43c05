"""yq beside its cases: what comes back, what is left of a file when something fails, and bounds."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from utility_runs import run

from pyshellhooks import Limits, MemoryFS, Shell

TEXTS = st.text(st.characters(exclude_categories=["Cs"])) | st.sampled_from(
    ["yes", "on", "~", "null", "1e3", "0o7", "010", "1:30", "2020-01-01", "=", "<<", "- a", "a: b", "#", "", " ", "'", '"', "a\n", "...", "---", "!x", "&a", "*a"]
)  # fmt: skip
SCALARS = st.none() | st.booleans() | st.integers(-(2**60), 2**60) | TEXTS
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4))


def output(argv: list[str], stdin: str) -> str:
    status, out, err = run(argv, stdin.encode())
    assert (status, err) == (0, b""), (stdin, err)
    return out.decode()


@pytest.mark.one_in(3, slow=3)
@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(VALUES)
def test_values_written_as_yaml_are_read_back(value: Any) -> None:
    text = json.dumps(value)
    for option in ("-y", "-Y"):
        written = output(["yq", "-p", "json", option, "."], text)
        assert json.loads(output(["yq", "."], written)) == value, written
    # PyYAML reads 1.1, for which it is quoted.
    assert yaml.safe_load(output(["yq", "-p", "json", "-y", "."], text)) == value


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(VALUES)
def test_a_newer_version_quotes_less_but_reads_the_same(value: Any) -> None:
    written = output(["yq", "-p", "json", "-y", "--yml-out-ver", "1.2", "."], json.dumps(value))
    assert json.loads(output(["yq", "."], written)) == value, written


FULL = st.recursive(SCALARS.filter(lambda value: value is not None), lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4))  # fmt: skip


@pytest.mark.one_in(3, slow=3)
@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(st.dictionaries(TEXTS, FULL, max_size=4))
def test_values_written_as_toml_are_read_back(value: dict[str, Any]) -> None:
    written = output(["yq", "-p", "json", "-t", "."], json.dumps(value))
    assert tomllib.loads(written) == value, written


def test_without_libyaml() -> None:
    program = (
        "import sys; sys.modules['yaml._yaml'] = None\n"
        "from pyshellhooks import MemoryFS, Shell\n"
        "text = b'a: &x [1, {b: c}]\\nd: *x\\n---\\ne: |\\n  f\\n'\n"
        "print(Shell(fs=MemoryFS(), spawn=False).run('yq -c .', stdin=text).stdout.decode())\n"
        "print(Shell(fs=MemoryFS(), spawn=False).run('yq .', stdin=b'a: b: c').stderr.decode())\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.startswith(
        '{"a":[1,{"b":"c"}],"d":[1,{"b":"c"}]}\n{"e":"f\\n"}\n\nyq: Error running jq: ScannerError: '
    )
    assert 'in "<stdin>", line 1, column 5' in done.stdout


class Stuck(MemoryFS):
    """A file system that can't put a file in place of another."""

    def rename(self, old: str, new: str) -> None:
        raise OSError(28, "No space left on device", new)


def test_a_file_that_cannot_be_put_in_place() -> None:
    shell = Shell(fs=Stuck({"/t/f.yml": "a: 1\n"}), cwd="/t", spawn=False)
    result = shell.run("yq -i '.a = 2' f.yml; echo $?; ls; cat f.yml")
    assert result.stdout == b"1\nf.yml\na: 1\n"
    assert result.stderr == b"yq: couldn't edit f.yml: No space left on device\n"


def test_a_limit_in_the_midst_of_an_edit_leaves_the_file() -> None:
    fs = MemoryFS({"/t/f.yml": "a: 1\n"})
    result = Shell(fs=fs, cwd="/t", spawn=False, limits=Limits(written=1000)).run("yq -i '.a = \"x\" * 2000' f.yml")
    assert result.status == 125 and "1000 bytes" in str(result.ended)
    assert Shell(fs=fs, cwd="/t", spawn=False).run("ls; cat f.yml").stdout == b"f.yml\na: 1\n"


@pytest.mark.parametrize(
    ("script", "detail"),
    [
        ("yes 'a: b' | yq .", "100000 bytes"),
        ("yes '<a/>' | sed '1s/^/<b>/' | xq .", "100000 bytes"),
        ("yes '# a' | tomlq .", "100000 bytes"),
        ("printf '[%.0s' {1..11000} | yq .", "999 levels"),
        ("printf '<a>%.0s' {1..6000} | xq .", "5000 levels"),
        ("{ printf 'a = '; printf '[%.0s' {1..5000}; } | tomlq .", "nested too deeply"),
    ],
)
def test_a_bound_ends_the_run(script: str, detail: str) -> None:
    shell = Shell(fs=MemoryFS(), spawn=False, limits=Limits(string=100_000))
    result = shell.run(f"{script} || echo passed", timeout=60)
    assert result.status == 125 and result.stdout == b""
    assert detail in str(result.ended)


# What is nested, so many deep. libyaml 0.2.6 takes 1,000 lists in brackets and 999 of all others, 0.2.5 any number; the answer is one.
NESTED = {
    "lists in brackets": lambda depth: "[" * depth + "]" * depth,
    "mappings in braces": lambda depth: "{a: " * depth + "1" + "}" * depth,
    "mappings": lambda depth: "".join(" " * at + "a:\n" for at in range(depth)),
    "lists": lambda depth: "- " * depth + "a",
    "lists in brackets in lists": lambda depth: "- " * (depth // 2) + "[" * (depth - depth // 2) + "]" * (depth - depth // 2),
    "brackets that stay open": lambda depth: "[" * depth,
}  # fmt: skip


@pytest.mark.one_in(4)
@pytest.mark.parametrize("flags", ["-c", "-y", "-yi"])
@pytest.mark.parametrize("kind", NESTED)
def test_how_deep_yaml_may_be_is_the_same_with_every_libyaml(kind: str, flags: str) -> None:
    for depth in (999, 1000, 1001, 3000):
        shell = Shell.sandbox({"/home/user/f": NESTED[kind](depth)})
        result = shell.run(f"yq {flags} . f >/dev/null 2>&1 || echo failed", timeout=60)
        if depth > 999:
            assert "deeper than 999 levels" in str(result.ended), depth
        else:
            assert result.text == ("failed\n" if kind.startswith("brackets") else "")


@pytest.mark.one_in(3, slow=3)
@pytest.mark.slow
def test_documents_are_answered_as_they_arrive() -> None:
    shell = Shell(fs=MemoryFS(), spawn=False)
    assert shell.run("yes $'a: 1\\n---' | yq -c . | head -n 2", timeout=60).stdout == b'{"a":1}\n{"a":1}\n'
    assert shell.run("yes $'a: 1\\n---' | yq -y . | head -n 2", timeout=60).stdout == b"a: 1\n---\n"


def test_the_files_behind_one_that_fails_are_let_go() -> None:
    shell = Shell(fs=MemoryFS({"/t/f": "a: [", "/t/g": "1"}), cwd="/t", spawn=False, limits=Limits(open_files=20))
    result = shell.run("for i in {1..60}; do yq . f g g g 2> /dev/null; done; yq . g")
    assert result.stdout == b"1\n"


def test_it_takes_part_in_a_script_like_any_command() -> None:
    script = "x=$(yq -r '.hooks[0].command' <<< $'hooks:\\n- command: rm -rf /\\n'); [[ $x == rm* ]] && echo deny"
    assert Shell(fs=MemoryFS(), spawn=False).run(script).stdout == b"deny\n"
