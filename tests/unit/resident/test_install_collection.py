"""Install and uninstall over the collection of hooks: the same answers before, between and after, the files byte for byte."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pyshellhooks import HookEngine, dialects
from pyshellhooks.hooks.installed import words_of
from pyshellhooks.resident.answering import Request, answer
from pyshellhooks.resident.engines import Engines
from pyshellhooks.resident.install import apply
from pyshellhooks.resident.install.plan import Entry
from pyshellhooks.resident.install.targets import REFUSED, TAILS, Refused, Target, dialect_of
from pyshellhooks.resident.project import VARIABLES
from tests.contract.collected_hooks import Hook, config, fields, hooks
from tests.contract.hooks_beside_bash import PATH, RANDOM, Place, make_template, programs

pytestmark = pytest.mark.oracle
SYSTEMS = set(TAILS)


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make the project once."""
    return make_template(tmp_path_factory.mktemp("collection"), programs())


@pytest.fixture
def place(template: Path, tmp_path: Path, program: Callable[[str], str]) -> Place:
    """Return a directory for a hook."""
    for name in ("bash", "git"):
        program(name, PATH)
    return Place(tmp_path / "place", template)


class Case:
    """One hook in its project's settings."""

    def __init__(self, hook: Hook, place: Place) -> None:
        self.hook = hook
        self.place = place
        self.dialect = dialects.get(hook.system)
        self.settings = place.project / TAILS[hook.system][-1]
        self.target = Target(self.dialect, self.settings.as_posix(), "project", place.project.as_posix())
        self.env = {**place.environment, **hook.env, VARIABLES[hook.system]: str(place.project)}
        place.prepare(hook)
        self.settings.parent.mkdir(exist_ok=True)
        self.settings.write_text(json.dumps(config(hook), indent=2), encoding="utf-8", newline="")
        self.files: dict[str, bytes] = {}

    def fresh(self) -> None:
        """Put back what the last run changed, but for the settings and what lies beside them."""
        beside = {path: path.read_bytes() for path in self.settings.parent.glob(f"{self.settings.stem}*.json")}
        self.place.restore()
        self.settings.parent.mkdir(exist_ok=True)
        for path, data in beside.items():
            path.write_bytes(data)

    def payload(self, name: str) -> bytes:
        """Return what the agent gives the hook."""
        given = fields(self.hook, name, self.place.project, self.place.home)
        return json.dumps({self.dialect.event_key: self.hook.event, **given}).encode()

    def discovered(self, name: str) -> tuple[Any, ...]:
        """Ask the hooks as an engine finds them in the project."""
        self.fresh()
        event, given = self.dialect.read(self.payload(name))
        project = str(self.place.project)
        with HookEngine.discover(project, self.dialect, env=self.env, trust_project=True, user=False) as engine:
            for _ in range(self.hook.times):
                verdict = engine.fire(event, given)
        assert [one.spec.command for one in verdict.hooks] in ([self.hook.command], [])
        return shown(*self.dialect.answer(event, verdict, given)[:2], self.place)

    def answered(self, name: str) -> tuple[Any, ...]:
        """Ask through the entry, as the agent would."""
        self.fresh()
        words = tuple(words_of(self.entry())[1:])
        with Engines() as engines:
            for _ in range(self.hook.times):
                request = Request(words, self.payload(name), self.env, str(self.place.project))
                reply = answer(request, engines)
        return shown(reply.stdout, reply.status, self.place)

    def entry(self) -> str:
        """Return the one command of the settings."""
        found = [spec.command for spec in self.dialect.load(self.settings.read_text(), origin()).specs]
        assert len(found) == 1
        return found[0]


def origin() -> Any:
    from pyshellhooks.hooks.model import Origin

    return Origin("settings.json")


def shown(stdout: str, status: int, place: Place) -> tuple[Any, ...]:
    return RANDOM.sub("tmp.RANDOM", stdout), status


@pytest.mark.one_in(40, slow=5)
@pytest.mark.parametrize("hook", [hook for hook in hooks() if hook.system in SYSTEMS], ids=str)
def test_the_same_before_between_and_after(hook: Hook, place: Place) -> None:
    case = Case(hook, place)
    before = case.settings.read_bytes()
    first = {name: case.discovered(name) for name in hook.expect}
    plan = apply.plan_install(case.target, Entry("pyshellhooks-hook"))
    assert plan.moved == 1, plan.stays
    apply.install(plan, case.env)
    assert "pyshellhooks-hook" in case.entry()
    assert {name: case.answered(name) for name in hook.expect} == first
    assert {name: case.discovered(name) for name in hook.expect} == first
    back = apply.plan_uninstall(case.target)
    assert back is not None
    apply.uninstall(back, case.env)
    assert case.settings.read_bytes() == before
    assert [path.name for path in case.settings.parent.glob(f"{case.settings.stem}*.json")] == [case.settings.name]
    assert {name: case.discovered(name) for name in hook.expect} == first


@pytest.mark.parametrize("system", sorted({hook.system for hook in hooks()} - SYSTEMS))
def test_the_other_systems_are_refused_with_a_reason(system: str) -> None:
    with pytest.raises(Refused, match=REFUSED[system][:20]):
        dialect_of(system)
