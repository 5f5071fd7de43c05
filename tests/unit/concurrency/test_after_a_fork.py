"""What a forked child begins with: new locks and no workers, while the parent keeps its own.

Each module that has something to renew tells the system so when it is imported. Here it tells us, and no process forks;
``test_threads_and_forks.py`` does fork.
"""

from __future__ import annotations

import atexit
import importlib
import os
from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from types import ModuleType

import pytest

MODULES = ["pyshellhooks.forks", "pyshellhooks.workers.client", "pyshellhooks.workers.isolation"]


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Callable[[], None]]]:
    """Return what modules register with the system from now on."""
    calls: list[dict[str, Callable[[], None]]] = []
    monkeypatch.setattr(os, "register_at_fork", lambda **hooks: calls.append(hooks), raising=False)
    monkeypatch.setattr(atexit, "register", lambda function: function)
    return calls


def imported_again(name: str) -> ModuleType:
    """Return a second copy of a module, beside the one that is in use."""
    spec = spec_from_file_location(name, importlib.import_module(name).__file__)
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("module", MODULES)
def test_only_the_child_has_hooks_of_forks(module: str, registered: list[dict[str, Callable[[], None]]]) -> None:
    imported_again(module)
    assert {name for hooks in registered for name in hooks} == {"after_in_child"}


def test_every_owner_that_is_alive_renews_its_locks(registered: list[dict[str, Callable[[], None]]]) -> None:
    renewed: list[str] = []

    class Owner:
        def __init__(self, name: str) -> None:
            self.name = name

        def renew_locks(self) -> None:
            renewed.append(self.name)

    forks = imported_again("pyshellhooks.forks")
    owners = [Owner("session"), Owner("engine"), Owner("gone")]
    for owner in owners:
        forks.renewed_after_fork(owner)
    del owners[2], owner
    registered[-1]["after_in_child"]()
    assert sorted(renewed) == ["engine", "session"]
