"""The response to one hook command: from an agent's payload to its output in the agent's format (docs/serve.md)."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from .. import dialects
from ..errors import ConfigError, PyShellHooksError, UnknownDialectError, UnknownEventError
from ..hooks import installed
from ..hooks.adapted import common_name, fields_for
from ..hooks.dialect import GUARDED, Dialect
from ..hooks.model import Decision
from ..hooks.verdict import Verdict
from ..jsontext.compact import JSON, WireError
from ..notice import Notice
from ..text import encode, remembered
from . import project

if TYPE_CHECKING:
    from ..cancel import CancelScope
    from ..engine import HookEngine
    from .client import Response
    from .engines import Engines

AT_ONCE = 64  # most simultaneous requests of an engine; the client of another one runs its hooks itself
NON_BLOCKING = 1  # an exit status without a decision: the agent shows stderr to the person and continues
DENIED = 2


class UsageError(Exception):
    """The words of a hook command are wrong."""


class Request(NamedTuple):
    """The input of a hook command: its words, its stdin, its environment and its directory."""

    words: tuple[str, ...]
    payload: bytes
    env: Mapping[str, str]
    cwd: str


class Options(NamedTuple):
    """The parsed words of a hook command."""

    dialect: Dialect
    configs: tuple[str, ...] = ()
    project: str = ""
    trust_project: bool = False
    strict: bool = False
    agent: str = ""
    timeout: float | None = None
    installed: tuple[str, ...] = ()
    #: A single hook in place of configs: the system that it was written for, its event and its command.
    hook: tuple[Dialect, str, str] | None = None


class HookReply(NamedTuple):
    """A response, and facts about it for the log: never content of the payload or of a hook."""

    stdout: str
    status: int
    stderr: str
    event: str = ""
    decision: str = ""
    hooks: int = 0

    def encoded(self) -> Response:
        """Return stdout, status and stderr as bytes."""
        return encode(self.stdout), self.status, encode(self.stderr)


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(f"pyshellhooks-hook: {message}; pyshellhooks-hook --help lists the arguments")


def _parser() -> _Parser:
    parser = _Parser(
        "pyshellhooks-hook",
        description="Run the hooks of one event of an agent: its payload on stdin, the output on stdout and stderr. "
        "They run in the resident engine (pyshellhooks serve), or in this process if none is running.",
        add_help=False,
        allow_abbrev=False,
    )
    parser.add_argument("system", metavar="SYSTEM", help=f"the hook system: {', '.join(dialects.built_in())}")
    parser.add_argument(
        "--config", action="append", default=[], metavar="FILE",
        help="run the hooks of this file; default: the files that the system reads",
    )  # fmt: skip
    parser.add_argument(
        installed.WORD, action="append", default=[], metavar="FILE",
        help="a file of `pyshellhooks serve --install`; FILE is relative to the project in the agent's variable",
    )  # fmt: skip
    parser.add_argument(
        "--project",
        default="",
        metavar="DIR",
        help="the project (default: the directory in the agent's variable, or the payload's)",
    )
    parser.add_argument(
        "--trust-project", action="store_true", help="run the project's hooks even if they are untrusted"
    )
    parser.add_argument("--strict", action="store_true", help="deny if a hook fails")
    parser.add_argument("--agent", default="", metavar="NAME", help="the agent, in configs with several agents")
    single = parser.add_argument_group("a single hook of another system (pyshellhooks convert --wrap)")
    single.add_argument(
        installed.WRITTEN_FOR, default="", metavar="SYSTEM",
        help="the system that the hook was written for: it gets that system's payload, and its answer is translated",
    )  # fmt: skip
    single.add_argument("--event", default="", metavar="EVENT", help="the event of that system")
    single.add_argument("--command", default="", metavar="TEXT", help="the command of the hook")
    parser.add_argument(
        "--timeout",
        type=_seconds,
        metavar="SECONDS",
        help="time limit of all hooks together; after it the answer is a deny; with --written-for the hook's own timeout",
    )
    return parser


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0 < seconds < float("inf"):
        raise argparse.ArgumentTypeError(f"invalid time {text!r} (expected seconds above 0)")
    return seconds


def help_text(words: Sequence[str]) -> str:
    """Return the help. Raises ``UsageError`` if the first word is not ``-h`` or ``--help``."""
    if words and words[0] in ("-h", "--help"):
        return _parser().format_help()
    problem = f"unknown option {words[0]} (expected SYSTEM first)" if words else "missing argument SYSTEM"
    raise UsageError(f"pyshellhooks-hook: {problem}; pyshellhooks-hook --help lists the arguments")


@remembered(256)
def options_of(words: tuple[str, ...]) -> Options:
    """Parse the words. Raises ``UsageError``, ``UnknownDialectError``."""
    options = _parser().parse_args(list(words))
    if not os.path.isabs(options.project):
        for name in options.config:
            if os.path.isabs(name):
                continue
            # The model can choose the directory in which an agent runs hooks.
            raise UsageError(
                f"pyshellhooks-hook: --config {name}: expected an absolute path, or --project DIR with an absolute path"
            )
    dialect = dialects.get(options.system)
    return Options(
        dialect,
        tuple(options.config),
        options.project,
        options.trust_project,
        options.strict,
        options.agent,
        options.timeout,
        tuple(options.installed),
        _single_hook(dialect, options),
    )


def _single_hook(agent: Dialect, options: argparse.Namespace) -> tuple[Dialect, str, str] | None:
    """Return the hook that the words name; None without one. Raises ``UsageError``, ``UnknownDialectError``."""
    words = (options.written_for, options.event, options.command)
    if not any(words):
        return None
    if not all(words) or options.config or options.installed:
        raise UsageError(
            f"pyshellhooks-hook: {installed.WRITTEN_FOR}, --event and --command belong together, without --config"
        )
    written_for = dialects.get(options.written_for)
    try:
        row = written_for.event(options.event)[0]
    except UnknownEventError as error:
        raise UsageError(f"pyshellhooks-hook: {error}") from None
    if not any(common_name(own, row) for own in agent.events.values()):
        raise UsageError(f"pyshellhooks-hook: {agent.title} has no event for {row.native} of {written_for.title}")
    return written_for, row.native, options.command


def alone(request: Request) -> Response:
    """Return the response to a request, with an engine in this process that ends after it."""
    from .engines import Engines

    with Engines(stays=False) as engines:
        return answer(request, engines).encoded()


def failed(words: Sequence[str], payload: bytes, message: str) -> Response:
    """Return the response after an internal failure. Raises if even that is not possible."""
    return _failure(_dialect(words), payload, message).encoded()


def answer(request: Request, engines: Engines, scope: CancelScope | None = None) -> HookReply:
    """Run the hooks and return their verdict in the system's format. Never raises: a failure of ours denies (ADR 9)."""
    try:
        options = options_of(request.words)
        event, fields = options.dialect.read(request.payload)
    except UnknownEventError as error:
        return HookReply("", NON_BLOCKING, f"pyshellhooks: {error}; hooks for this event were skipped\n")
    except (WireError, UsageError, UnknownDialectError) as error:
        return _failure(_dialect(request.words), request.payload, f"pyshellhooks: {error}")
    try:
        return _fire_hooks(options, event, fields, request, engines, scope)
    except ConfigError as error:
        errors = [diagnostic for diagnostic in error.diagnostics if diagnostic.severity == "error"]
        lines = "; ".join(map(str, errors[:3]))
        return _failure(options.dialect, request.payload, f"pyshellhooks: the hooks can't be loaded: {lines}")
    except (PyShellHooksError, OSError, ValueError, TypeError) as error:
        return _failure(options.dialect, request.payload, f"pyshellhooks: {error}")
    except Exception as error:
        return _failure(options.dialect, request.payload, f"pyshellhooks: {type(error).__name__}: {error}")


def _fire_hooks(
    options: Options,
    event: str,
    fields: Mapping[str, JSON],
    request: Request,
    engines: Engines,
    scope: CancelScope | None,
) -> HookReply:
    options, fields = project.with_project_variable(options, fields, request.env)
    cwd = place_of(options, fields, request)
    with engines.borrowed(options, cwd, request.env) as engine:
        if options.hook is None:
            verdict = engine.fire(event, fields, timeout=options.timeout, scope=scope)
        else:
            verdict = _fire_single_hook(engine, options, event, fields, scope)
        untrusted = engine.untrusted
    _pass_variables_on(verdict, request.env)
    stdout, status, stderr, notices = options.dialect.answer(event, verdict, fields)
    cut_off = [notice for notice in verdict.notices if isinstance(notice, Notice) and notice.kind == "background-ended"]
    if status != DENIED and not stderr:  # the agent shows stderr to the model only with a deny
        stderr = "".join(f"pyshellhooks: {notice}\n" for notice in dict.fromkeys([*verdict.faults, *cut_off, *notices]))
    shows_nothing = status == 0 and _is_empty(verdict, stdout)
    if untrusted and shows_nothing:
        status = NON_BLOCKING  # as in `fire`: the missing hooks must not look like an allow
        skipped = f"untrusted hooks were skipped; review them, then run `pyshellhooks trust` in {cwd}"
        stderr = stderr or f"pyshellhooks: {skipped}\n"
    decision = "halt" if verdict.halt else verdict.decision.value
    return HookReply(stdout, status, stderr, event, decision, len(verdict.hooks))


def _fire_single_hook(
    engine: HookEngine, options: Options, event: str, fields: Mapping[str, JSON], scope: CancelScope | None
) -> Verdict:
    """Run the hook of another system on the agent's event, and return its verdict in the agent's words."""
    assert options.hook is not None
    written_for, native, _ = options.hook
    row, own = written_for.events[native], options.dialect.events[event]
    name = common_name(own, row)
    if not name:
        raise UsageError(f"{options.dialect.title} has fired {event}, which is not {native} of {written_for.title}")
    return engine.fire(name, fields_for(own, written_for, row, fields), scope=scope)


def _is_empty(verdict: Verdict, stdout: str) -> bool:
    """Return whether a verdict decides nothing and its output is at most an empty object."""
    if verdict.decision is not Decision.NONE or verdict.halt:
        return False
    return not stdout.strip("{}\n ")


def place_of(options: Options, fields: Mapping[str, JSON], request: Request) -> str:
    """Return the directory whose hooks count: that of ``--project``, of the agent, or the client's own.

    The agent's variable with the project has priority over the payload's directory, which a model can change: so a
    model in another directory keeps its guards.
    """
    from ..engine.config.host_context import joined

    candidates = (options.project, request.env.get(project.VARIABLES.get(options.dialect.name, "")), fields.get("cwd"))
    for place in candidates:
        if isinstance(place, str) and place:
            return joined(request.cwd, place)
    return request.cwd


def _pass_variables_on(verdict: Verdict, env: Mapping[str, str]) -> None:
    """Append the variables that hooks exported to the file that Claude Code names (claude_code 4)."""
    text, file = verdict.effects.get("env_file"), env.get("CLAUDE_ENV_FILE")
    if not file or not isinstance(text, str):
        return
    if text:
        with open(file, "ab") as out:
            out.write(encode(text))


def _dialect(words: Sequence[str]) -> Dialect | None:
    try:
        return dialects.get(words[0])
    except (UnknownDialectError, IndexError):
        return None


def _failure(dialect: Dialect | None, payload: bytes, message: str) -> HookReply:
    """Return the response after a failure: a deny if the event has guards, otherwise a status without a decision."""
    if dialect is not None:
        try:
            event, fields = dialect.read(payload)
        except WireError:
            pass  # the event is not known, so deny
        except UnknownEventError:
            return HookReply("", NON_BLOCKING, message + "\n")
        else:
            if dialect.event(event)[0].guards not in GUARDED:
                return HookReply("", NON_BLOCKING, message + "\n", event)
            verdict = Verdict(event, Decision.DENY, reason=message)
            stdout, status, stderr, _ = dialect.answer(event, verdict, fields)
            return HookReply(stdout, status, stderr, event, "deny")
    return HookReply("", DENIED, message + "\n", decision="deny")
