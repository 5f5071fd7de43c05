"""jq without patience: a worker has the inputs at once, and always first."""

from __future__ import annotations

import sys

import pytest

from pyshellhooks.utilities.jq import libjq_race, running


class Spawning:
    """The ``start`` of a host that lets processes start."""

    spawn_allowed = True

    def __call__(self, *_: object, **__: object) -> object:
        """Fail: jq starts no command."""
        raise AssertionError("started a command")


def hand_over(patch: pytest.MonkeyPatch) -> list[int]:
    """Let workers be faster; gives a list that grows with each input that one has answered."""
    for module in (libjq_race, running, sys.modules["pyshellhooks.utilities.jq.command"]):
        patch.setattr(module, "PATIENCE", 0.0)
        patch.setattr(module, "PER_CHARACTER", 0.0)
    patch.setattr(libjq_race, "_GROWING", 1)
    patch.setattr(libjq_race, "_WORTHWHILE", 1)
    answered: list[int] = []
    ask, pass_on = libjq_race.Handover._send_inputs, libjq_race.Handover.pass_on

    def start_and_wait(self: libjq_race.Handover, *args: object) -> bool:
        asked = ask(self, *args)  # type: ignore[arg-type]
        if asked and self._session is not None:
            self._session.wait(self._run.scope)
        return asked

    def count(self: libjq_race.Handover, command: object) -> bool:
        whole = pass_on(self, command)
        answered.append(self.written)
        return whole

    patch.setattr(libjq_race.Handover, "_send_inputs", start_and_wait)
    patch.setattr(libjq_race.Handover, "pass_on", count)
    return answered


def slow(program: str) -> str:
    """Make a program take long enough that its run looks for a worker."""
    return f"def w: if . > 0 then . - 1 | w else . end; . as $in | 800 | w | $in | ({program})"
