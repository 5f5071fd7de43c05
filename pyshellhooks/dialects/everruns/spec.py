"""The reader of one hook of a configuration: its types, then the checks in Everruns' order (everruns 2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...hooks.dialect import CLOSED, OPEN
from ...hooks.model import HookSpec, Pattern
from ...hooks.suggest import did_you_mean, nearest
from ...jsontext.document import Node
from ..matchers import BadMatcher, compile_rust
from .matching import ToolMatcher, alternatives, path_of
from .tables import (
    CAPABILITY,
    DEFAULT_TIMEOUT_MS,
    EVENTS,
    EXECUTOR_FIELDS,
    LARGEST_COMMAND,
    LARGEST_MATCHER,
    LONGEST_MS,
    MATCHER_FIELDS,
    MOST_VARIABLES,
    ON_ERROR,
    SHORTEST_MS,
    SPEC_FIELDS,
)

if TYPE_CHECKING:
    from .config import Loader

# Other systems' names for the six events, for hints.
_FOREIGN = {
    "sessionstart": "session_start",
    "userpromptsubmit": "user_prompt_submit",
    "beforesubmitprompt": "user_prompt_submit",
    "beforeagent": "user_prompt_submit",
    "pretooluse": "pre_tool_use",
    "beforetool": "pre_tool_use",
    "posttooluse": "post_tool_use",
    "aftertool": "post_tool_use",
    "stop": "turn_end",
    "afteragent": "turn_end",
    "sessionend": "session_end",
}


class Invalid(Exception):
    """The first error of a hook: its node, a message and a hint."""

    def __init__(self, node: Node, message: str, hint: str = "", *, code: str = "") -> None:
        super().__init__(message)
        self.node = node
        self.message = message
        self.hint = hint
        self.code = code


def of_kind(node: Node, kind: str, what: str, hint: str = "") -> None:
    """Raise ``Invalid`` if a value is not of a kind; ``what`` is the beginning of the message."""
    if node.kind != kind:
        raise Invalid(node, f"{what}, not {node.described}", hint, code="wrong-type")


class SpecReader:
    """Reader of one hook. An invalid hook is left out with a warning; one that must run is an error."""

    def __init__(self, loader: Loader, index: int, node: Node) -> None:
        self.loader = loader
        self.index = index
        self.node = node
        self.where = f"{CAPABILITY}.hooks[{index}]"

    def read(self) -> None:
        """Add the hook, or report why it is invalid."""
        try:
            self.loader.loaded.specs.append(self.spec())
        except Invalid as problem:
            message = f"{self.where}: {problem.message}"
            if self.must_run():
                self.loader.report(problem.node.offset, message, problem.hint, code=problem.code)
            else:
                self.loader.report_strict_error(
                    problem.node.offset,
                    f"{message}; the hook is skipped",
                    problem.hint,
                    code=problem.code or "hook-never-runs",
                )
                self.record_lost(message, problem.hint)

    def record_lost(self, message: str, hint: str) -> None:
        """Record the hook that is left out as lost, if its event is known."""
        event = self.node.get("event") if self.node.kind == "object" else None
        if event is None or event.kind != "string":
            return
        native = event.value if event.value in EVENTS else _meant(event.value)
        if not native:
            return
        spec = self.loader.lose(native, self.where, self.node, message, hint)
        name = self.node.get("id")
        if name is not None and name.kind == "string" and name.value:
            spec.id = spec.name = f"user:{name.value}"

    def must_run(self) -> bool:
        """Return whether, without the hook, calls would pass that its author wants blocked.

        Everruns drops any invalid hook when it runs, and refuses the whole configuration when it is written
        (everruns 2). Here an invalid hook is dropped with a warning if it has no ``on_error``, or allow or warn.
        """
        policy = self.node.get("on_error")
        return policy is not None and policy.value not in ("allow", "warn")

    def spec(self) -> HookSpec:
        """Read all parts: types first, then the checks. Raises ``Invalid``."""
        of_kind(self.node, "object", "must be an object")
        self.loader.members(self.where, self.node, SPEC_FIELDS, (*SPEC_FIELDS, *EXECUTOR_FIELDS, *MATCHER_FIELDS))
        event = self.event()
        name = self.text(self.node, "id")
        self.text(self.node, "description")
        on_error = self.on_error()
        matcher = self.object("matcher", MATCHER_FIELDS)
        if matcher is not None:
            for key in MATCHER_FIELDS:
                self.text(matcher, key, "matcher.")
        executor = self.executor()
        timeout = self.timeout()
        self.check_event(event, matcher)
        command = self.command(executor)
        env = self.read_variables(executor)
        pattern, shown = self.matcher(matcher)
        return HookSpec(
            event,
            command,
            matcher=shown,
            pattern=pattern,
            timeout=timeout / 1000,
            on_failure=None if on_error is None else CLOSED if on_error == "block" else OPEN,
            origin=self.loader.place(self.node),
            env=env,
            extra={"index": self.index, "given": name, "quiet": on_error == "allow"},
        )

    # -- types --------------------------------------------------------------------------------------------------------

    def event(self) -> str:
        """Read ``event``."""
        node = self.node.get("event")
        if node is None:
            raise Invalid(self.node, "event is required", f"one of {', '.join(EVENTS)}", code="missing-key")
        of_kind(node, "string", "event must be a string")
        if node.value in EVENTS:
            return str(node.value)
        meant = _meant(node.value)
        hint = f'did you mean "{meant}"?' if meant else f"one of {', '.join(EVENTS)}"
        raise Invalid(node, f'unknown event "{node.value}"', hint, code="unknown-event")

    def text(self, within: Node, key: str, inside: str = "") -> str:
        """Read a string; ``""`` if it is absent or null."""
        node = within.get(key)
        if node is None or node.kind == "null":
            return ""
        of_kind(node, "string", f"{inside}{key} must be a string")
        return str(node.value)

    def on_error(self) -> str | None:
        """Read ``on_error``; None if it is absent, so that the engine's own policy applies."""
        node = self.node.get("on_error")
        if node is None:
            return None
        if node.value in ON_ERROR and node.kind == "string":
            return str(node.value)
        hint = did_you_mean(node.value, ON_ERROR) if node.kind == "string" else ""
        if node.value in ("closed", "deny", "fail"):
            hint = 'did you mean "block"?'
        raise Invalid(node, "on_error must be block, allow or warn", hint, code="wrong-type")

    def object(self, key: str, known: tuple[str, ...]) -> Node | None:
        """Read an object and report its unknown keys."""
        node = self.node.get(key)
        if node is None:
            return None
        hint = 'write {"tool_name": "..."}' if key == "matcher" and node.kind == "string" else ""
        of_kind(node, "object", f"{key} must be an object", hint)
        self.loader.members(f"{self.where}.{key}", node, known)
        return node

    def executor(self) -> Node:
        """Read ``executor``, and check its types."""
        node = self.object("executor", EXECUTOR_FIELDS)
        if node is None:
            stray = self.node.get("command")
            hint = 'write "executor": {"type": "bash", "command": "..."}'
            message = "executor is required" if stray is None else "executor is required: put command into it"
            raise Invalid(stray or self.node, message, hint, code="missing-key")
        kind = node.get("type")
        if kind is None or kind.value != "bash":
            shown = "" if kind is None else f", not {repr(kind.value) if kind.kind == 'string' else kind.described}"
            hint = f'write "type": "bash"{" (the only type)" if shown else ""}'
            raise Invalid(kind or node, f'executor.type must be "bash"{shown}', hint, code="wrong-type")
        command = node.get("command")
        if command is None:
            raise Invalid(node, "executor.command must be a string", code="wrong-type")
        of_kind(command, "string", "executor.command must be a string")
        env = node.get("env")
        if env is None:
            return node
        of_kind(env, "object", "executor.env must be an object of strings")
        for member in env.value:
            hint = f'write "{member.node.plain()}"' if member.node.kind == "number" else ""
            of_kind(member.node, "string", f"executor.env.{member.key} must be a string", hint)
        return node

    # -- checks, in Everruns' order -----------------------------------------------------------------------------------

    def timeout(self) -> int:
        """Read ``timeout_ms``, whole milliseconds in the range."""
        node = self.node.get("timeout_ms")
        if node is None:
            return DEFAULT_TIMEOUT_MS
        if node.kind != "number" or not isinstance(node.value, int):
            value = str(node.value).strip()
            hint = f"write {value} without quotes" if node.kind == "string" and value.isdigit() else ""
            described = "a fraction" if node.kind == "number" else node.described
            raise Invalid(
                node, f"timeout_ms must be a whole number of milliseconds, not {described}", hint, code="wrong-type"
            )
        if SHORTEST_MS <= node.value <= LONGEST_MS:
            return int(node.value)
        hint = ""
        if 0 < node.value <= LONGEST_MS // 1000:
            hint = f"timeout_ms counts milliseconds; {node.value} seconds are {node.value * 1000}"
        message = f"timeout_ms must be {SHORTEST_MS} to {LONGEST_MS} milliseconds, not {node.value}"
        raise Invalid(node, message, hint, code="timeout-unit")

    def check_event(self, event: str, matcher: Node | None) -> None:
        """Raise ``Invalid`` if an event other than the two tool events has a matcher that is not empty."""
        if not EVENTS[event].subject and matcher is not None:
            for member in matcher.value:
                if member.key in MATCHER_FIELDS and member.node.kind != "null":
                    those = " and ".join(name for name, row in EVENTS.items() if row.subject)
                    message = f"a matcher is for {those} only, not for {event}"
                    raise Invalid(matcher, message, "leave the matcher out and look at the payload in the command")

    def command(self, executor: Node) -> str:
        """Return the command; raise ``Invalid`` if it is blank or too long."""
        node: Any = executor.get("command")
        text = str(node.value)
        if not text.strip():
            raise Invalid(node, "executor.command is empty", code="missing-key")
        size = len(text.encode("utf-8", "surrogatepass"))
        if size > LARGEST_COMMAND:
            message = f"executor.command has {size} bytes; at most {LARGEST_COMMAND} are accepted"
            raise Invalid(node, message, "put it into a script file")
        return text

    def read_variables(self, executor: Node) -> dict[str, str]:
        """Read ``executor.env``."""
        node = executor.get("env")
        if node is None:
            return {}
        variables = {member.key: str(member.node.value) for member in node.value}
        if len(variables) > MOST_VARIABLES:
            raise Invalid(node, f"executor.env has {len(variables)} variables; at most {MOST_VARIABLES} are accepted")
        for member in node.value:
            problem = _problem_of_variable(member.key, str(member.node.value))
            if problem:
                message = f"{self.where}: executor.env.{member.key!r}: {problem}"
                self.loader.report_strict_error(member.offset, message)
                del variables[member.key]
        return variables

    def matcher(self, node: Node | None) -> tuple[Pattern | None, str]:
        """Compile the matcher; return it, or None for every call, and its text for display."""
        fields: dict[str, Node] = {}
        for member in node.value if node is not None else ():
            if member.key in MATCHER_FIELDS:
                fields[member.key] = member.node
        fields = {key: fields[key] for key in MATCHER_FIELDS if key in fields and fields[key].kind != "null"}
        if not fields:
            return None, ""
        for key, value in fields.items():
            if len(str(value.value).encode("utf-8", "surrogatepass")) > LARGEST_MATCHER:
                raise Invalid(value, f"matcher.{key} has more than {LARGEST_MATCHER} bytes")
        if "match_regex" in fields and "deny_regex" in fields:
            hint = "deny_regex is the same test as match_regex: keep one"
            raise Invalid(fields["deny_regex"], "match_regex and deny_regex exclude each other", hint)
        regex = self.regex(fields, "match_regex") or self.regex(fields, "deny_regex")
        glob = fields.get("tool_name_glob")
        parts = None if glob is None else alternatives(str(glob.value))
        if glob is not None and parts is None:
            message = f'matcher.tool_name_glob "{glob.value}" is not a list of names'
            raise Invalid(glob, message, "write names with | between them, each with at most one *, at its end")
        self.lint(fields, regex)
        name, path = fields.get("tool_name"), fields.get("args_jsonpath")
        compiled = ToolMatcher(
            None if name is None else str(name.value),
            parts,
            None if path is None else path_of(str(path.value)),
            regex,
        )
        return compiled, " ".join(f"{key}={value.value}" for key, value in fields.items())

    def regex(self, fields: dict[str, Node], key: str) -> Pattern | None:
        """Compile one of the two regular expressions."""
        node = fields.get(key)
        if node is None:
            return None
        try:
            return compile_rust(str(node.value))
        except BadMatcher as error:
            raise Invalid(
                node, f'matcher.{key}: invalid regex "{node.value}": {error}', code="matcher-invalid"
            ) from None

    def lint(self, fields: dict[str, Node], regex: Pattern | None) -> None:
        """Warn about matchers that can never match (everruns 3 and its trap)."""
        path = fields.get("args_jsonpath")
        if regex is not None and path is None:
            node = fields.get("match_regex") or fields["deny_regex"]
            hint = 'name the argument: "args_jsonpath": "$.commands"'
            self.loader.report_strict_error(
                node.offset,
                f"{self.where}: a regex without args_jsonpath never fires",
                hint,
                code="matcher-matches-nothing",
            )
        tool = fields.get("tool_name") or fields.get("tool_name_glob")
        if path is not None and path.value in ("$.command", "command") and tool is not None and tool.value == "bash":
            message = f'{self.where}: "{path.value}" never matches a call of Everruns\' bash, whose argument is named commands'
            self.loader.report_strict_error(path.offset, message, 'did you mean "$.commands"?', code="matcher-unknown")
        if path is not None and "[" in str(path.value):
            message = f'{self.where}: args_jsonpath "{path.value}" has brackets; only object keys with dots work'
            self.loader.report_strict_error(path.offset, message, code="matcher-invalid")


def _problem_of_variable(name: str, value: str) -> str:
    """Return why the operating system does not accept a variable, or an empty text."""
    if not name or "=" in name or "\0" in name:
        return 'a name must not be empty or contain "=" or NUL'
    return "its value has a NUL character" if "\0" in value else ""


def _meant(event: str) -> str:
    return _FOREIGN.get(event.lower().replace("_", "")) or nearest(event, EVENTS)
