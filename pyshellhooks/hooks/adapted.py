"""The command that runs a hook of one system in the agent of another (``convert --wrap``).

The client ``pyshellhooks-hook`` reads the agent's payload, runs the hook with the payload of the system that it was
written for, and answers as a hook of the agent.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from ..jsontext.compact import JSON
from .fields import NEUTRAL
from .installed import CLIENT, WRITTEN_FOR, is_client, words_of

if TYPE_CHECKING:
    from .dialect import Dialect, EventSpec

EVENT, COMMAND, TIMEOUT, STRICT = "--event", "--command", "--timeout", "--strict"


class Adapted(NamedTuple):
    """A hook behind the client. ``agent``: the system of the agent that calls it; ``seconds``: its own time limit."""

    agent: str
    written_for: str
    event: str
    command: str
    seconds: float
    strict: bool = False

    def text(self) -> str:
        """Return the command for the agent's config, quoted for a POSIX shell."""
        from shlex import join

        words = [CLIENT, self.agent, WRITTEN_FOR, self.written_for, EVENT, self.event]
        words += [TIMEOUT, f"{self.seconds:g}"]
        words += [STRICT] if self.strict else []
        return join([*words, COMMAND, self.command])


def adapted_of(command: str) -> Adapted | None:
    """Return the hook behind the client of a command that ``Adapted.text`` has written; None for any other command."""
    words = words_of(command) if is_client(command) else []
    if len(words) < 2 or WRITTEN_FOR not in words:
        return None
    strict = STRICT in words
    rest = [word for word in words[2:] if word != STRICT]
    values = dict(zip(rest[::2], rest[1::2], strict=False))
    if values.keys() != {WRITTEN_FOR, EVENT, TIMEOUT, COMMAND} or len(rest) != 8:
        return None
    try:
        seconds = float(values[TIMEOUT])
    except ValueError:
        return None
    return Adapted(words[1], values[WRITTEN_FOR], values[EVENT], values[COMMAND], seconds, strict)


def common_name(agent: EventSpec, written_for: EventSpec) -> str:
    """Return the name under which an event of an agent is fired for a hook of another system, or ``""``.

    It is the neutral name of both events, or the native name if both systems have the event, and no neutral name for it.
    """
    common = [name for name in agent.neutral if name in written_for.neutral]
    if common:
        return common[0]
    is_same = agent.native == written_for.native and not agent.neutral and not written_for.neutral
    return agent.native if is_same else ""


def fields_for(agent: EventSpec, written_for: Dialect, event: EventSpec, fields: Mapping[str, JSON]) -> dict[str, JSON]:
    """Return the fields of an agent's event under neutral names, as far as the other system has a place for them."""
    known = NEUTRAL | event.places.keys()
    result: dict[str, JSON] = {}
    for key, value in fields.items():
        field = agent.named.get(key)
        name = key if field is None else field.neutral
        if name in known:
            result[name] = value
    return result
