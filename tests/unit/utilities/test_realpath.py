"""realpath and pwd: names below /w, so no table of the machine's answers fits; the rules are coreutils 9.1's."""

from __future__ import annotations

import pytest
from recorded import ours

pytestmark = pytest.mark.portable
FILES = {"d/f": "", "l": "->d", "dang": "->no"}


@pytest.mark.parametrize(
    ("argv", "status", "stdout"),
    [
        (["realpath", "l/f"], 0, "/w/d/f\n"),
        (["realpath", "l/../d"], 0, "/w/d\n"),
        (["realpath", "-s", "l/f"], 0, "/w/l/f\n"),
        (["realpath", "new"], 0, "/w/new\n"),
        (["realpath", "-q", "no/new"], 1, ""),
        (["realpath", "-m", "no/new"], 0, "/w/no/new\n"),
        (["realpath", "-eq", "dang"], 1, ""),
        (["realpath", "--relative-to=d", "l/f"], 0, "f\n"),
        (["realpath", "--relative-to=/x/y", "-m", "d"], 0, "../../w/d\n"),
        (["readlink", "-f", "l/f"], 0, "/w/d/f\n"),
        (["readlink", "-f", "dang"], 0, "/w/no\n"),
        (["pwd"], 0, "/w\n"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_names(argv: list[str], status: int, stdout: str) -> None:
    answer = ours({"argv": argv, "files": FILES})
    assert (answer["status"], answer["stdout"]) == (status, stdout)
