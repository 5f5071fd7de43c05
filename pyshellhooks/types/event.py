"""What all typed events and outputs have in common."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, NoReturn, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, PrivateAttr, WrapValidator, model_validator

from .. import dialects
from ..errors import AnswerError
from ..hooks.model import Decision
from ..hooks.render import HookOutput
from ..hooks.verdict import Verdict
from ..jsontext.compact import JSON, WireError, dumps, loads
from . import ending, reading


def _parsed(value: Any) -> Any:
    """Read arguments that come as JSON text; other text stays what it is, and is no object."""
    if not isinstance(value, str):
        return value
    try:
        return loads(value)
    except WireError:
        return value


def _kept(value: Any, check: Any) -> Any:
    """Keep a text that is none of those that the contract lists: a newer agent may send it."""
    return value if isinstance(value, str) else check(value)


#: The arguments of a tool's call; events about MCP tools may have them as JSON text.
Arguments = Annotated[dict[str, Any], BeforeValidator(_parsed)]
#: Beside a ``Literal``: other texts are taken too.
OPEN = WrapValidator(_kept)


#: The methods that answer; an event has those that its system can be told.
_WORDS = ("allow", "ask", "deny", "halt", "answer")
#: What means something only where the act goes ahead, or the agent goes on.
_GOING_ON = ("updated_input", "followup", "llm_request", "worktree_path")


class Part(BaseModel):
    """An object inside a payload."""

    model_config = ConfigDict(extra="allow", protected_namespaces=(), defer_build=True)


class Event(BaseModel):
    """An event: its payload, and the answers that its system takes.

    ``SYSTEM`` and ``EVENT`` are the system's name and its own name for the event. What a newer agent sends beside the
    fields of the contract is kept, and can be read as an attribute. A field that no guard decides by, and that is null
    or missing, has its default.
    """

    model_config = ConfigDict(extra="allow", protected_namespaces=(), defer_build=True)

    SYSTEM: ClassVar[str]
    EVENT: ClassVar[str]
    _given: dict[str, JSON] | None = PrivateAttr(default=None)

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, values: Any) -> Any:
        if not isinstance(values, Mapping):
            return values
        fields = cls.model_fields
        optional = {name for name, field in fields.items() if not field.is_required()}
        return {name: value for name, value in values.items() if value is not None or name not in optional}

    @classmethod
    def read(cls) -> Self:
        """Read the event that the agent sent to this process.

        What can't be read ends the process: with a deny, if the event guards something, else with status 1. So does
        every exception that nobody catches from then on. There is never a traceback.
        """
        return reading.read(cls.SYSTEM, {cls.EVENT: cls})

    if not TYPE_CHECKING:  # for a type checker what a class lacks is not there

        def __getattr__(self, name: str) -> Any:
            if name not in _WORDS:
                return super().__getattr__(name)
            own = ", ".join(word for word in _WORDS if hasattr(type(self), word))
            title = dialects.get(self.SYSTEM).title
            raise AttributeError(f"{title} can't express {name} on {self.EVENT}; the event has: {own}")

    def _answer(self, decision: str | None = None, reason: str = "", **parts: Any) -> NoReturn:
        ending.end(self._said(decision, reason, **parts))

    def _said(
        self,
        decision: str | None,
        reason: str,
        *,
        halt: bool = False,
        user_message: str = "",
        context: str = "",
        updated_input: Any = None,
        updated_output: Any = None,
        followup: str | None = None,
        **effects: Any,
    ) -> HookOutput:
        """Say an answer in the system's words. Raises ``AnswerError`` for what the event can't be told."""
        if decision not in (None, *Decision):
            raise AnswerError(f'unknown decision "{decision}" (expected allow, ask or deny)')
        fields = {"updated_input": updated_input, "followup": followup, **effects}
        moot = [name for name in _GOING_ON if fields.get(name) is not None]
        if moot and (halt or decision == "deny"):
            raise AnswerError(f"no output was printed: a deny or halt has no {' and no '.join(moot)}")
        dialect = dialects.get(self.SYSTEM)
        try:
            verdict = Verdict(
                self.EVENT,
                decision or Decision.NONE,
                halt=halt,
                reason=reason,
                user_message=user_message,
                context=context,
                updated_input_text=None if updated_input is None else dumps(updated_input),
                updated_output_text=None if updated_output is None else dumps(updated_output),
                followup=followup,
                effects={name: value for name, value in effects.items() if value is not None},
            )
        except WireError as error:
            raise AnswerError(f"no output was printed: {error}") from error
        return ending.say(dialect, self.EVENT, verdict, self._fields())

    def _fields(self) -> Mapping[str, JSON]:
        return self.model_dump() if self._given is None else self._given


class Output(BaseModel):
    """The stdout of a hook in the form of its system; unknown keys are an error."""

    model_config = ConfigDict(extra="forbid", protected_namespaces=(), defer_build=True, populate_by_name=True)

    def answer(self) -> NoReturn:
        """Print it, and end the hook with status 0."""
        ending.end(HookOutput(self.model_dump_json(exclude_none=True, by_alias=True)))
