"""A real program runs only if it has the cited version: programs that print other versions, on a PATH of their own."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from conformance import oracles
from conformance.case import CASES
from tests import oracles as asking

ROOT = Path(__file__).resolve().parents[3]
GNU = "{} (GNU {}) {}\nCopyright (C) 2022 Free Software Foundation, Inc."
BUSYBOX = "{}: unrecognized: --version\nBusyBox v1.35.0 (Debian 1:1.35.0-4+deb12u1+b1) multi-call binary."
pytestmark = [
    pytest.mark.not_on_windows("needs-program"),
    asking.BIN_SH,
]


class Programs:
    """A directory of programs that only print a text."""

    def __init__(self, path: Path) -> None:
        self.path = str(path)

    def add(self, name: str, says: str, then: str = "exit 0") -> str:
        """Make one; return where it is."""
        file = Path(self.path, name)
        file.write_text(f"#!/bin/sh\necho asked >> '{self.path}/asked'\nprintf '%s\\n' '{says}'\n{then}\n")
        file.chmod(0o755)
        return str(file)


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Programs:
    monkeypatch.setattr(oracles, "JQ", "/none/jq")
    return Programs(tmp_path)


CITED = {
    "bash": "GNU bash, version 5.2.15(1)-release (x86_64-pc-linux-gnu)",
    "sh": "sh: 0: Illegal option --",
    "jq": "jq-1.8.2",
    "awk": "GNU Awk 5.2.1, API 3.2, PMA Avon 8-g1, (GNU MPFR 4.2.0, GNU MP 6.2.1)",
    "grep": GNU.format("grep", "grep", "3.8"),
    "egrep": "egrep: warning: egrep is obsolescent\n" + GNU.format("grep", "grep", "3.8"),
    "sed": GNU.format("/usr/bin/sed", "sed", "4.9"),
    "sort": GNU.format("sort", "coreutils", "9.1"),
    "dd": "dd (coreutils) 9.1",
    "fish": "fish, version 3.6.1",
    "xxd": "xxd 2022-01-14 by Juergen Weigert et al.",
    "git": "git version 2.51.0",
}
OTHER = [
    ("jq", "jq-1.6", "the recorded answers are jq 1.8.2's; this machine has jq 1.6"),
    ("jq", "jq-1.7.1-Debian", "the recorded answers are jq 1.8.2's; this machine has jq 1.7.1"),
    ("jq", "jq-1.8.20", "the recorded answers are jq 1.8.2's; this machine has jq 1.8.20"),
    ("bash", "GNU bash, version 5.3.3(1)-release", "the recorded answers are bash 5.2.15's; this machine has bash 5.3.3"),
    ("grep", GNU.format("grep", "grep", "3.11"), "the recorded answers are GNU grep 3.8's; this machine has GNU grep 3.11"),
    ("grep", BUSYBOX.format("grep"), "the recorded answers are GNU grep 3.8's; this machine's grep is another program"),
    ("grep", "grep (BSD grep, GNU compatible) 2.6.0-FreeBSD", "the recorded answers are GNU grep 3.8's; this machine's grep is another program"),
    ("sed", "This is not GNU sed version 4.0", "the recorded answers are GNU sed 4.9's; this machine's sed is another program"),
    ("sort", "sort (uutils coreutils) 9.1", "the recorded answers are GNU coreutils 9.1's; this machine's sort is another program"),
    ("awk", "mawk 1.3.4 20200120", "the recorded answers are GNU awk 5.2.1's; this machine's awk is another program"),
    ("awk", "awk: unknown option --version ignored", "the recorded answers are GNU awk 5.2.1's; this machine's awk is another program"),
    ("sh", "GNU bash, version 5.2.15(1)-release", "the recorded answers are dash's; this machine's sh is another program"),
    ("bc", "bc 6.5.0\nCopyright (c) 2018-2023 Gavin D. Howard", "the recorded answers are GNU bc 1.07.1's; this machine's bc is another program"),
    ("yq", "yq (https://github.com/mikefarah/yq/) version v4.44.1", "the recorded answers are kislyuk/yq's; this machine's yq is another program"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "says"), CITED.items(), ids=CITED)
def test_the_cited_version_is_found(programs: Programs, name: str, says: str) -> None:
    here = programs.add(name, says, "exit 2")  # dash's status: that of the question does not matter
    assert oracles.lacking(name, programs.path) == ""
    assert asking.find(name, programs.path) == here


@pytest.mark.parametrize(("name", "says", "why"), OTHER, ids=lambda row: None)
def test_another_version_is_not_used(programs: Programs, name: str, says: str, why: str) -> None:
    programs.add(name, says)
    assert oracles.lacking(name, programs.path) == why


def test_files_that_are_missing_or_no_program(programs: Programs, monkeypatch: pytest.MonkeyPatch) -> None:
    assert oracles.lacking("rg", programs.path) == "this machine has no rg"
    assert oracles.search_path(programs.path) == programs.path
    Path(programs.path, "rg").write_bytes(b"\x7fELF")
    Path(programs.path, "rg").chmod(0o755)
    assert oracles.lacking("rg", programs.path).endswith("this machine's rg is another program")
    monkeypatch.setattr(oracles, "SECONDS", 0.02)
    programs.add("find", "find (GNU findutils) 4.9.0", "while :; do :; done")
    assert oracles.lacking("find", programs.path).endswith("this machine's find is another program")


def test_each_program_is_queried_once(programs: Programs) -> None:
    programs.add("sed", GNU.format("sed", "sed", "4.9"))
    for _ in range(3):
        asking.need("sed", "sed", path=programs.path)
    assert Path(programs.path, "asked").read_text() == "asked\n"


def test_test_answers_nothing_and_its_other_name_does(programs: Programs) -> None:
    programs.add("test", "")
    programs.add("[", GNU.format("[", "coreutils", "9.1"))
    assert oracles.lacking("test", programs.path) == ""


def test_the_jq_that_ci_builds_is_preferred(
    programs: Programs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    programs.add("jq", "jq-1.6")
    built = Programs(tmp_path / "built")
    Path(built.path).mkdir()
    monkeypatch.setattr(oracles, "JQ", built.add("jq", "jq-1.8.2"))
    assert asking.find("jq", programs.path) == asking.native("jq", programs.path) == f"{built.path}/jq"
    assert oracles.search_path(programs.path) == f"{built.path}:{programs.path}"
    assert oracles.search_path(f"{built.path}:/bin") == f"{built.path}:/bin"


def test_it_is_skipped_and_fails_in_ci(programs: Programs, monkeypatch: pytest.MonkeyPatch) -> None:
    programs.add("jq", "jq-1.6")
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match=r"are jq 1\.8\.2's; this machine has jq 1\.6"):
        asking.find("jq", programs.path)
    assert asking.native("jq", programs.path) == f"{programs.path}/jq"
    assert asking.native("sh", programs.path) in ("/bin/sh", "/usr/bin/sh")
    with pytest.raises(pytest.skip.Exception, match="this machine has no frobnicate"):
        asking.native("frobnicate", programs.path)
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match=r"^CI installs .*, and the recorded answers are jq 1\.8\.2's"):
        asking.need("jq", path=programs.path)


def test_the_fixture_requires_the_marker(request: pytest.FixtureRequest) -> None:
    with pytest.raises(AssertionError, match="carries @pytest.mark.oracle"):
        request.getfixturevalue("program")


def test_the_table_cites_the_sources_of_the_cases() -> None:
    named = {"coreutils": "cat", "findutils": "find", "gawk": "gawk", "bash": "bash", "jq": "jq", "bc": "bc"}
    sources = re.compile(rf"\b({'|'.join(named)}) (\d+\.\d[\d.]*\b)")
    cited = set()
    for path in CASES.rglob("*.toml"):
        for line in path.read_text(encoding="utf-8").splitlines():
            if "source = " in line:
                cited |= {(name, version) for name, version in sources.findall(line.partition("source = ")[2])}
    assert {name for name, _ in cited} == set(named)
    assert [row for row in cited if not oracles.is_version(oracles.OF[named[row[0]]].version, row[1])] == []
    assert len(oracles.OF) == sum(len(oracle.names.split()) for oracle in oracles.ORACLES)


ASKS = re.compile(r"\boracles\.(?:need|find)\(|\bneed_jq\(")
LOOKS = re.compile(r"(?<![\"'])\bshutil\.which\(|from shutil import.*\bwhich\b")


def unmarked(text: str) -> list[str]:
    """Name the tests of a file that ask a real program, by a helper or a fixture too, and carry no marker, nor does their file."""
    if not ASKS.search(text) or re.search(r"^pytestmark = .*(?:mark\.oracle\b|\bMARKS\b)", text, re.MULTILINE):
        return []
    functions = [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
    tests = [node for node in functions if node.name.startswith("test_")]
    helpers = {node.name for node in functions if node not in tests and ASKS.search(ast.unparse(node))}
    return [
        node.name
        for node in tests
        if (ASKS.search(ast.unparse(node)) or not helpers.isdisjoint(names(node)))
        and "@pytest.mark.oracle" not in ast.unparse(node)
    ]


def names(node: ast.AST) -> Iterator[str]:
    """Yield the names that a function takes and uses."""
    for part in ast.walk(node):
        if isinstance(part, ast.arg | ast.Name):
            yield part.arg if isinstance(part, ast.arg) else part.id


def test_nothing_else_looks_for_programs_and_tests_that_use_one_are_marked() -> None:
    looking, forgotten = set(), []
    for path in [*(ROOT / "tests").rglob("*.py"), *(ROOT / "conformance").rglob("*.py")]:
        text = path.read_text(encoding="utf-8")
        if LOOKS.search(text):
            looking.add(path.relative_to(ROOT).as_posix())
        if path.name.startswith("test_") and path != Path(__file__):
            forgotten += [f"{path.name}::{name}" for name in unmarked(text)]
    environments = {"tests/debian_programs.py", "tests/environments.py"}  # they choose what others find
    assert (looking - environments, forgotten) == ({"conformance/oracles.py"}, [])
    helper = "def jq():\n    oracles.need('jq')\ndef test_a(jq):\n    pass\n"
    assert (unmarked(helper), unmarked(f"pytestmark = pytest.mark.oracle\n{helper}")) == (["test_a"], [])


@pytest.mark.parametrize(
    ("found", "cited", "is_it"),
    [("1.8.2", "1.8", True), ("1.8", "1.8", True), ("1.80", "1.8", False), ("1.8", "1.8.2", False), ("3", "", True)],
)
def test_a_version_is_the_cited_one(found: str, cited: str, is_it: bool) -> None:
    assert oracles.is_version(found, cited) is is_it
