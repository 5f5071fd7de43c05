"""``ShellTool``: a session as a tool for a model, with its definition, a text for the system prompt, and its calls."""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from math import inf
from threading import Condition
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple

from .cancel import CancelScope
from .ended import Exited
from .errors import SessionBusyError, Stop
from .fs.base import FileSystem
from .fs.memory import MemoryFS
from .fs.mount import MountFS
from .fs.overlay import OverlayFS
from .fs.readonly import ReadOnly
from .shell import Session, Shell
from .shell.result import LEAST

if TYPE_CHECKING:
    from langchain_core.tools import StructuredTool

__all__ = ["ShellTool", "ToolAnswer"]

_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_ONE_MORE = 1.0  # seconds that a call may be late before the next one starts without waiting for it


class ToolAnswer(NamedTuple):
    """The result of a call for the model: ``text``, and ``is_error``.

    ``is_error`` (bool): the arguments were wrong, or this library ended the run. An exit status is not an error.
    """

    text: str
    is_error: bool


class _Ticket:
    """A place in the queue. ``until``: the time (``time.monotonic``) when a running call must be over."""

    __slots__ = ("until",)

    def __init__(self) -> None:
        self.until = inf


class _Queue:
    """A queue that runs one call at a time, in order of arrival."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._tickets: deque[_Ticket] = deque()

    def enter(self) -> _Ticket:
        """Add a ticket at the end and return it."""
        ticket = _Ticket()
        with self._changed:
            self._tickets.append(ticket)
        return ticket

    def leave(self, ticket: _Ticket) -> None:
        """Remove a ticket, at any place."""
        with self._changed:
            if ticket in self._tickets:
                self._tickets.remove(ticket)
            self._changed.notify_all()

    @contextmanager
    def first(self, ticket: _Ticket, scope: CancelScope, seconds: float) -> Iterator[None]:
        """Wait for earlier calls, then run the block, which may take ``seconds``. Raises ``Stop`` when cancelled."""
        try:
            with self._changed:
                scope.wait(self._changed, lambda: self._is_first(ticket))
                ticket.until = monotonic() + seconds
            yield
        finally:
            self.leave(ticket)

    def _is_first(self, ticket: _Ticket) -> bool:
        first = self._tickets[0]
        if first is not ticket and monotonic() > first.until:  # it hangs in a command of the host
            self._tickets.popleft()
        return self._tickets[0] is ticket


class ShellTool:
    """A tool with which a model runs commands in one session: ``ShellTool(Shell.sandbox().session())``.

    session  a ``Session``, or a ``Shell``, of which it takes a new session
    name     the tool's name for the model
    timeout  seconds that one call may take (float); the model can choose less
    most     most characters of output of one call for the model (int), at least 200 (``Result.report``)

    ``call`` and ``acall`` never raise for arguments of a model. Simultaneous calls run one after another, in order of
    arrival. ``definition``, ``openai``, ``mcp`` and ``langchain`` return the tool in the format of each. Raises
    ``TypeError`` and ``ValueError`` for wrong options.
    """

    def __init__(
        self, session: Session | Shell, *, name: str = "bash", timeout: float = 60.0, most: int = 30_000
    ) -> None:
        if not isinstance(session, Session | Shell):
            raise TypeError(f"session must be a Session or a Shell (Shell.sandbox().session()), got {session!r:.60}")
        if not _NAME.fullmatch(name):
            raise ValueError(
                f"name must have 1 to 64 letters, digits, _ and -, as the models' APIs require, got {name!r}"
            )
        if not 0 < timeout < inf:
            raise ValueError(f"timeout must be a number of seconds above 0, got {timeout}")
        if most < LEAST:
            raise ValueError(f"most must be at least {LEAST} characters, got {most}")
        self.session = session.session() if isinstance(session, Shell) else session
        self.name = name
        self.timeout = timeout
        self.most = most
        self._queue = _Queue()

    # -- the definition -----------------------------------------------------------------------------------------------

    @property
    def description(self) -> str:
        """The description of the tool in the model's list of tools."""
        return (
            "Run a bash script in a shell of its own. Variables, functions, the working directory and files last from "
            f"call to call. Standard output, standard error and an exit status other than 0 are shown, {self.most} "
            f"characters of output at most. A call ends after {self.timeout:g} seconds."
        )

    @property
    def input_schema(self) -> dict[str, Any]:
        """The JSON Schema of the arguments."""
        return {
            "type": "object",
            "properties": {
                "command": {"type": "string", "description": "The bash script to run."},
                "timeout": {
                    "type": "number",
                    "exclusiveMinimum": 0,
                    "maximum": self.timeout,
                    "description": f"Seconds after which the script is ended; {self.timeout:g} by default.",
                },
                "restart": {
                    "type": "boolean",
                    "description": "Begin with a fresh shell, then run the script. Files stay.",
                },
            },
            "required": ["command"],
            "additionalProperties": False,
        }

    @property
    def instructions(self) -> str:
        """A text for the system prompt: the commands, files and limits of the shell, and the missing parts."""
        shell = self.session.shell
        lines = [f"The tool `{self.name}` is a bash shell. {self.description}", "", *_places(shell.fs)]
        lines.append(f"The working directory is {self.session.cwd} now.")
        if not shell.spawn:
            lines.append(
                "Only the commands below exist: no program of the machine can be run (no python, node, git or package "
                "manager), and there is no network."
            )
        else:
            lines.append("Programs of the machine can be run, too.")
        named, own = shell.command_names()
        lines += ["", f"Commands beside bash's builtins: {' '.join(sorted(named))}"]
        lines += [f"{command.name}: {command.summary} (`{command.name} --help`)" for command in own]
        return "\n".join(lines)

    def definition(self) -> dict[str, Any]:
        """Return the tool for Anthropic's Messages API: ``name``, ``description``, ``input_schema``."""
        return {"name": self.name, "description": self.description, "input_schema": self.input_schema}

    def openai(self, *, responses: bool = False) -> dict[str, Any]:
        """Return the tool for OpenAI's Chat Completions API, or with ``responses`` for its Responses API."""
        function = {"name": self.name, "description": self.description, "parameters": self.input_schema}
        return {"type": "function", **function} if responses else {"type": "function", "function": function}

    def mcp(self) -> dict[str, Any]:
        """Return the tool in the form of an MCP server's ``tools/list``."""
        return {"name": self.name, "description": self.description, "inputSchema": self.input_schema}

    def langchain(self) -> StructuredTool:
        """Return the tool for LangChain and LangGraph. Raises ``ImportError`` if LangChain is not installed."""
        try:
            from langchain_core.tools import StructuredTool, ToolException
        except ImportError as error:
            raise ImportError(f"LangChain is needed ({error}): pip install 'pyshellhooks[langchain]'") from error

        def text_or_raise(answer: ToolAnswer) -> str:
            if answer.is_error:
                raise ToolException(answer.text)
            return answer.text

        def run(**arguments: Any) -> str:
            return text_or_raise(self.call(arguments))

        async def arun(**arguments: Any) -> str:
            return text_or_raise(await self.acall(arguments))

        return StructuredTool(
            name=self.name,
            description=self.description,
            args_schema=self.input_schema,
            func=run,
            coroutine=arun,
            handle_tool_error=True,
        )

    # -- calls --------------------------------------------------------------------------------------------------------

    def call(self, arguments: Mapping[str, Any] | str, *, scope: CancelScope | None = None) -> ToolAnswer:
        """Run a call with a model's arguments, as a mapping or as JSON text. A cancel of ``scope`` cancels the run."""
        with CancelScope(parent=scope) as inner:
            return self._answer(arguments, self._queue.enter(), inner)

    async def acall(self, arguments: Mapping[str, Any] | str) -> ToolAnswer:
        """Run a call like ``call``, without blocking the event loop. A cancel of the task cancels the run.

        Raises ``RuntimeError`` if no thread can be started.
        """
        from .aio import run_async

        ticket = self._queue.enter()
        try:
            return await run_async(
                lambda scope: self._answer(arguments, ticket, scope), None, self.session.shell.limits
            )
        except RuntimeError:  # no thread could be started
            self._queue.leave(ticket)
            raise

    def _answer(self, arguments: Mapping[str, Any] | str, ticket: _Ticket, scope: CancelScope) -> ToolAnswer:
        limits = self.session.shell.limits
        try:
            command, timeout, restart = self._read(arguments)
            with self._queue.first(ticket, scope, timeout + limits.grace + limits.slack + _ONE_MORE):
                if restart:
                    self.session.reset()
                result = self.session.run(command, timeout=timeout, scope=scope)
        except Stop:
            return ToolAnswer("[cancelled]\n", True)
        except SessionBusyError:
            text = "The shell is busy with another command that does not end. "
            return ToolAnswer(f"{text}To continue with a fresh shell, call {self.name} with restart: true.\n", True)
        except (TypeError, ValueError) as error:
            return ToolAnswer(f"Invalid call: {error}\n", True)
        finally:
            self._queue.leave(ticket)
        return ToolAnswer(result.report(self.most), not isinstance(result.ended, Exited))

    def _read(self, raw: Mapping[str, Any] | str) -> tuple[str, float, bool]:
        """Return command, timeout and restart. Raises ``ValueError`` for wrong arguments."""
        try:
            arguments = json.loads(raw) if isinstance(raw, str) else raw
        except ValueError as error:
            raise ValueError(f"the arguments are not JSON ({error})") from None
        except RecursionError:  # Python's text differs from version to version, and from thread to thread
            raise ValueError("the arguments are nested too deeply") from None
        if not isinstance(arguments, Mapping):
            raise ValueError("the arguments are not an object")
        unknown = sorted(set(arguments) - {"command", "timeout", "restart"}, key=str)
        if unknown:
            raise ValueError(f"unknown argument {unknown[0]!r} (expected command, timeout or restart)")
        command, timeout, restart = (arguments.get(name) for name in ("command", "timeout", "restart"))
        if not isinstance(command, str):
            raise ValueError(f"command must be a string, not {json.dumps(command, default=repr):.60}")
        if timeout is None:
            timeout = self.timeout
        if isinstance(timeout, bool) or not isinstance(timeout, int | float) or not 0 < timeout <= self.timeout:
            raise ValueError(f"timeout must be a number of seconds above 0, at most {self.timeout:g}")
        if not isinstance(restart, bool | None):
            raise ValueError("restart must be true or false")
        return command, float(timeout), bool(restart)


def _places(fs: FileSystem) -> list[str]:
    """Return the lines about files for the system prompt."""
    if not isinstance(fs, MountFS):
        return [f"Files: {_kind(fs)}."]
    lines = [f"Files: {_kind(fs.root)}, but:"]
    return lines + [f"- {point}: {_kind(inner)}" for point, inner in sorted(fs.mounts.items())]


def _kind(fs: FileSystem) -> str:
    if isinstance(fs, OverlayFS):
        return "real files; only you see your changes"
    if isinstance(fs, MemoryFS):
        return "in memory, yours alone"
    if isinstance(fs, ReadOnly):
        return "real files, read-only"
    return "real files, which you can change"
