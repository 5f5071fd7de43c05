"""Dialects of other packages, by the entry-point group ``pyshellhooks.dialects`` (docs/howto/hook-system.md)."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pyshellhooks import dialects
from pyshellhooks.errors import UnknownDialectError

_MODULE = """
from pyshellhooks.dialects.crush import Crush

class Acme(Crush):
    name = "acme"
    file_names = (".acme/hooks.json", "crush.json")

class Other(Crush):
    name = "other"
"""


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Add a directory in which a test writes a package; nothing of it stays."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(dialects, "_known", {})
    dialects._installed.cache_clear()
    yield tmp_path
    sys.modules.pop("acme_hooks", None)
    dialects._installed.cache_clear()


def _write(folder: Path, entry_points: str, module: str = _MODULE) -> None:
    (folder / "acme_hooks.py").write_text(module)
    metadata = folder / "acme_hooks-1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: acme-hooks\nVersion: 1\n")
    (metadata / "entry_points.txt").write_text(f"[pyshellhooks.dialects]\n{entry_points}\n")


def test_a_package_adds_a_dialect(install: Path) -> None:
    _write(install, "acme = acme_hooks:Acme")
    assert dialects.names()[-1] == "acme" not in dialects.built_in()
    assert dialects.get("acme@shipped").full_name == "acme@shipped"
    found = dialects.detect("project/.acme/hooks.json", None)
    assert found is not None and found.name == "acme"


def test_it_replaces_no_dialect_of_ours(install: Path) -> None:
    _write(install, "crush = acme_hooks:Acme\nacme = acme_hooks:Acme")
    assert dialects.names() == (*dialects.built_in(), "acme")
    assert dialects.dialect_class("crush").__module__ == "pyshellhooks.dialects.crush"
    found = dialects.detect("project/crush.json", None)
    assert found is not None and found.name == "crush"


@pytest.mark.parametrize(
    ("entry_point", "module", "problem"),
    [
        ("acme = acme_hooks:Acme", "import no_such_module", "can't be loaded: ModuleNotFoundError"),
        ("acme = acme_hooks:Acme", "raise SystemError('x')", "can't be loaded: SystemError"),
        ("acme = acme_hooks:Missing", _MODULE, "can't be loaded: AttributeError"),
        ("acme = acme_hooks:Other", _MODULE, "does not have a Dialect named 'acme'"),
        ("acme = acme_hooks:Acme", "Acme = 5", "does not have a Dialect named 'acme'"),
    ],
)
def test_a_package_that_fails_is_named(install: Path, entry_point: str, module: str, problem: str) -> None:
    _write(install, entry_point, module)
    with pytest.raises(UnknownDialectError, match="of the package acme-hooks.*uninstall it") as error:
        dialects.get("acme")
    assert problem in str(error.value)
