"""Each file of examples/ prints what it promises, and each adapter has one, a page, an extra and a word in CI."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.adapters.conftest import DRIVERS, WANTED
from tests.adapters.run import NAMES

pytestmark = pytest.mark.not_on_windows("needs-tools")

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("name", NAMES)
def test_the_example(name: str) -> None:
    if name not in WANTED:
        pytest.importorskip(DRIVERS[name][0], reason=f"its SDK is not installed: python -m tests.adapters.run {name}")
        if WANTED:
            pytest.skip("another SDK is wanted")
    if name == "openai-agents":
        pytest.importorskip("agents.testing", reason="the SDK's scripted model is younger than the floor")
    path = ROOT / "examples" / f"{name.replace('-', '_')}_agent.py"
    promised = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    surroundings = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, check=False, env=surroundings)
    assert done.stdout.splitlines() == promised.split("It prints:\n\n")[1].splitlines(), done.stderr


def test_each_adapter_has_all_that_belongs_to_it() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    adapters = {path.stem.replace("_", "-") for path in (ROOT / "pyshellhooks" / "adapters").glob("[!_]*.py")}
    assert adapters == set(NAMES) == set(DRIVERS)
    assert adapters <= set(extras)
    for name in adapters:
        page = (ROOT / "docs" / "adapters" / f"{name}.md").read_text(encoding="utf-8")
        assert f"pip install 'pyshellhooks[{name}]'" in page
        assert all(floor in page for floor in re.findall(r">=([\d.]+)", " ".join(extras[name])))
        assert f"examples/{name.replace('-', '_')}_agent.py" in page
    assert "tests.adapters.run" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
