"""The reader of ``settings.json`` and ``hooks.json``, and their locations (gemini 1).

A part that the program discards is discarded here, too, always with a diagnostic, and the other hooks run. A part that
would make a guard never run, or end at once, is an error.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...errors import Diagnostic
from ...hooks.dialect import ConfigFile, HostContext, Loaded
from ...hooks.model import HookSpec, Origin, Pattern
from ...hooks.suggest import did_you_mean, nearest
from ...hooks.tools import KIND_OF
from ...jsontext.compact import JSON
from ...jsontext.document import Document, Member, Node, read
from ..config_reader import LONGEST_TIMEOUT, ConfigReader
from ..matchers import BadMatcher, Exactly, compile_js, may_match
from .extensions import home_of
from .payload import own_names
from .redaction import Redaction
from .tables import (
    DEFAULT_TIMEOUT,
    DEFINITION_FIELDS,
    EVENTS,
    FOREIGN_EVENTS,
    HOOK_FIELDS,
    RESERVED,
    SETTINGS_KEYS,
    TOOLS,
)

# A timeout of so few milliseconds was probably meant in seconds: 5, 30 and 600 are common values for other systems.
LOOKS_LIKE_SECONDS = 600
_LONGEST_OF_NODE = 2_147_483_647  # milliseconds: setTimeout sets more than this to 1 (nodejs.org/api/timers.html)

# Events that no other system has: Claude Code shares SessionStart, SessionEnd and Notification.
_OWN_EVENTS = frozenset(EVENTS) - {"SessionStart", "SessionEnd", "Notification"}


def recognises(root: Mapping[str, JSON]) -> bool:
    """Return whether a file looks like Gemini CLI's: it has an event of its own, or ``hooksConfig``."""
    if "gemini-cli" in str(root.get("$schema", "")):
        return True
    hooks = root.get("hooks")
    if not isinstance(hooks, dict):
        return isinstance(root.get("hooksConfig"), dict)
    if any(isinstance(hooks.get(event), list) for event in _OWN_EVENTS):
        return True
    if hooks.keys() - EVENTS.keys() - set(RESERVED):
        return False
    groups = [group for groups in hooks.values() if isinstance(groups, list) for group in groups]
    return isinstance(root.get("hooksConfig"), dict) or any(
        isinstance(group, dict) and isinstance(group.get("hooks"), list) and "sequential" in group for group in groups
    )


def places(place: HostContext) -> list[ConfigFile]:
    """Return the files of gemini 1, lowest first."""
    env, join = place.env, place.join
    own = env.get("GEMINI_CLI_SYSTEM_SETTINGS_PATH")
    if own:
        systems = [own]
    elif place.windows:
        systems = ["C:/ProgramData/gemini-cli/settings.json"]
    else:
        systems = ["/etc/gemini-cli/settings.json", "/Library/Application Support/GeminiCli/settings.json"]
    defaults_path = env.get("GEMINI_CLI_SYSTEM_DEFAULTS_PATH")
    defaults = (
        [defaults_path] if defaults_path else [join(_directory(path), "system-defaults.json") for path in systems]
    )
    files = [ConfigFile(path, "system") for path in defaults]
    files.append(ConfigFile(join(home_of(place), ".gemini", "settings.json"), "user"))
    cwd = place.cwd.replace("\\", "/") if place.windows else place.cwd
    if cwd.rstrip("/") != home_of(place).rstrip("/"):
        files.append(ConfigFile(join(cwd, ".gemini", "settings.json"), "project"))
    return [*files, *(ConfigFile(path, "system") for path in systems)]


def _directory(path: str) -> str:
    return path.replace("\\", "/").rpartition("/")[0]


def combine(parts: Sequence[Loaded]) -> Loaded:
    """Join the files in order, extensions last, without the hooks that ``hooksConfig`` switches off."""
    ordered = sorted(parts, key=lambda part: "extension" in part.settings)
    whole = Loaded()
    disabled: dict[str, list[Diagnostic]] = {}
    switch: tuple[bool, Diagnostic] | None = None
    redaction: dict[str, JSON] = {}
    for part in ordered:
        whole.specs += part.specs
        whole.env.update(part.env)
        for identity, diagnostic in part.settings.get("disabled", ()):
            disabled.setdefault(identity, []).append(diagnostic)
        switch = part.settings.get("enabled", switch)
        for key, value in part.settings.get("redaction", {}).items():
            redaction[key] = value if key == "enabled" else [*redaction.get(key, ()), *value]
    for part in parts:
        whole.diagnostics += part.diagnostics
        whole.refused += part.refused
        whole.off_in_agent += part.off_in_agent
        whole.lost += part.lost
    known = {spec.title for spec in whole.specs}
    whole.diagnostics += [
        diagnostic for identity in disabled if identity not in known for diagnostic in disabled[identity]
    ]
    for spec in whole.specs:
        if spec.title in disabled:
            file = disabled[spec.title][0].file
            whole.off.append((spec, f"hooksConfig.disabled of {file} names it"))
            whole.diagnostics.append(_named(spec, file))
    whole.specs = [spec for spec in whole.specs if spec.title not in disabled]
    whole.lost = [row for row in whole.lost if row[0].title not in disabled]
    if switch is not None and not switch[0]:
        if whole.specs:
            whole.diagnostics.append(switch[1])
        whole.off += [(spec, f"hooksConfig.enabled of {switch[1].file} is false") for spec in whole.specs]
        whole.specs = []
        whole.lost = []
    if redaction:
        shared = Redaction(**redaction)
        for spec in whole.specs:
            spec.extra = {**spec.extra, "redaction": shared}
    return whole


def _named(spec: HookSpec, file: str) -> Diagnostic:
    place = spec.origin
    message = f"hooksConfig.disabled of {file} switches this hook off: {spec.title[:60]}"
    return Diagnostic(place.file, place.line, place.column, message, severity="warning", code="switched-off")


class Loader(ConfigReader):
    """Reader of one settings.json, or the hooks.json of an extension."""

    title = "Gemini CLI"
    form = 'write {"hooks": {"BeforeTool": [{"hooks": [{"type": "command", "command": "..."}]}]}}'

    def __init__(self, text: str, origin: Origin, quirks: frozenset[str]) -> None:
        super().__init__(text, origin, quirks)
        path = "/" + origin.file.replace("\\", "/").lstrip("/")
        self.extension = ""
        if path.endswith("/hooks/hooks.json"):
            self.extension = _directory(_directory(origin.file)) or "."
            self.loaded.settings["extension"] = True
        self.groups = 0

    def parse(self) -> Document:
        """Parse the text: settings may have comments, an extension's file may not."""
        return read(self.text, self.origin.file, comments=not self.extension)

    def load(self) -> Loaded:
        """Return the hooks, variables and diagnostics. With empty settings, Gemini CLI 0.61.0 does not start."""
        if self.text or self.extension:
            return super().load()
        self.refuse(0, "the file is empty: Gemini CLI does not start with it", "write {}, or remove it")
        return self.loaded

    def root(self, node: Node) -> None:
        """Read the top level, most keys of which are unrelated settings."""
        self.report_repeated_keys([member for member in node.value if member.key == "hooks"])
        for member in node.value:
            if member.key == "hooks":
                self.hooks(member.node)
            elif member.key == "hooksConfig" and not self.extension:
                self.switches(member.node)
            elif member.key == "security" and not self.extension:
                self.redaction(member.node.get("environmentVariableRedaction"))
            elif member.key in EVENTS and member.node.kind == "array":
                message = f'the event "{member.key}" is at the top of the file, where Gemini CLI ignores it'
                hint = f'put it in "hooks": {{"{member.key}": [...]}}'
                self.warn(member.offset, message, hint, code="wrong-nesting")
            elif nearest(member.key, SETTINGS_KEYS) in SETTINGS_KEYS:
                self.warn(
                    member.offset,
                    f'unknown key "{member.key}"',
                    did_you_mean(member.key, SETTINGS_KEYS),
                    code="unknown-key",
                )

    # -- switches -----------------------------------------------------------------------------------------------------

    def switches(self, node: Node) -> None:
        """Read ``hooksConfig``: ``enabled``, ``disabled``. ``notifications`` only affects the user's screen."""
        for key in ("enabled", "disabled"):  # of two hooksConfig objects the last one counts
            self.loaded.settings.pop(key, None)
        if not self.expect(node, "object", "hooksConfig must be an object", ends="; it is ignored", severity="warning"):
            return
        fields = self.fields("hooksConfig", node, RESERVED)
        enabled = fields.get("enabled")
        if enabled is not None and enabled.kind == "boolean":
            message = "hooksConfig.enabled is false: no hook runs"
            diagnostic = self.document.diagnostic(enabled.offset, message, severity="warning", code="switched-off")
            self.loaded.settings["enabled"] = (enabled.value, diagnostic)
        elif enabled is not None:
            self.warn(
                enabled.offset,
                f"hooksConfig.enabled must be true or false, not {enabled.described}; hooks run",
                code="wrong-type",
            )
        listed = fields.get("disabled")
        if listed is None:
            return
        if not self.expect(
            listed, "array", "hooksConfig.disabled must be an array", "put it in [ ]", severity="warning"
        ):
            return
        disabled = []
        for item in listed.value:
            if item.kind != "string":
                self.warn(item.offset, f"hooksConfig.disabled has {item.described} instead of a name or a command")
                continue
            message = f'hooksConfig.disabled: no hook has the name or command "{item.value}"'
            disabled.append(
                (item.value, self.document.diagnostic(item.offset, message, severity="warning", code="no-effect"))
            )
        self.loaded.settings["disabled"] = disabled

    def redaction(self, node: Node | None) -> None:
        """Read the setting that hides the host's secrets from hooks (gemini 2.2)."""
        if node is None or node.kind != "object":
            return
        setting: dict[str, JSON] = {}
        enabled = node.get("enabled")
        if enabled is not None and enabled.kind == "boolean":
            setting["enabled"] = enabled.value
        for key in ("allowed", "blocked"):
            listed = node.get(key)
            if listed is not None and listed.kind == "array":
                setting[key] = [item.value for item in listed.value if item.kind == "string"]
        self.loaded.settings["redaction"] = setting

    # -- hooks --------------------------------------------------------------------------------------------------------

    def hooks(self, node: Node) -> None:
        """Read ``hooks``: event name -> array of definitions."""
        for member in self.events_of(node):
            if member.key in EVENTS:
                self.event(member)
            elif member.key in RESERVED:
                if member.key != "notifications":
                    hint = f"write it as hooksConfig.{member.key}"
                    self.warn(member.offset, f"hooks.{member.key} is no longer read", hint)
            else:
                own = FOREIGN_EVENTS.get(member.key)
                hint = f'in Gemini CLI it is "{own}"' if own else did_you_mean(member.key, EVENTS)
                self.warn(
                    member.offset,
                    f'invalid hook event name "{member.key}"; its hooks never run',
                    hint,
                    code="unknown-event",
                )
                self.record_lost_hooks(member, own or nearest(member.key, EVENTS))

    def event(self, member: Member) -> None:
        """Read the definitions of one event."""
        node = member.node
        if node.kind == "null":
            return
        if node.kind == "object":  # the program concatenates lists of several files, and an object as a list of one
            message = f"hooks.{member.key} must be an array, not an object; Gemini CLI treats it as a list of one"
            self.warn(node.offset, message, "put it in [ ]", code="wrong-type")
            self.definition(member.key, f"{member.key}[0]", node)
            return
        if node.kind != "array":
            message = f"hooks.{member.key} must be an array, not {node.described}; its hooks never run"
            self.discard(member.key, member.key, node, message, "put it in [ ]", code="wrong-type")
            return
        for index, item in enumerate(node.value):
            self.definition(member.key, f"{member.key}[{index}]", item)

    def is_object(self, event: str, where: str, node: Node) -> bool:
        """Return whether a node is an object; discard any other, with a diagnostic."""
        if node.kind == "object":
            return True
        message = f"{where} must be an object, not {node.described}; it is discarded"
        self.discard(event, where, node, message, code="wrong-type")
        return False

    def definition(self, event: str, where: str, node: Node) -> None:
        """Read a group: matcher, sequential, hooks."""
        if not self.is_object(event, where, node):
            return
        inner = node.get("hooks")
        if inner is None or inner.kind != "array":
            self.not_grouped(event, where, node, inner)
            return
        fields = self.fields(where, node, DEFINITION_FIELDS)
        before, lost = self.mistakes, len(self.loaded.lost)
        matcher, pattern = self.matcher(event, where, fields.get("matcher"))
        broken = (
            self.loaded.diagnostics[-1]
            if EVENTS[event].subject == "tool_name" and isinstance(pattern, Exactly)
            else None
        )
        sequential = self.sequential(where, fields)
        if self.mistakes > before:
            return
        self.groups += 1
        lane = (self.origin.file, self.origin.rank, self.groups) if sequential else None
        if not inner.value:
            self.warn(inner.offset, f"{where}: hooks is empty", code="no-hooks")
        for index, item in enumerate(inner.value):
            spec = self.hook(event, f"{where}.hooks[{index}]", item)
            if spec is not None:
                spec.matcher, spec.pattern, spec.lane = matcher, pattern, lane
                self.loaded.specs.append(spec)
                if broken:  # a guard that never runs because of an error in its matcher
                    reason = f'its matcher "{matcher}" is not a regular expression, and no tool has this name'
                    self.lose(event, where, item, reason, "correct the matcher", broken).key = spec.key
        for never, *_ in self.loaded.lost[lost:]:
            if not broken:
                never.matcher, never.pattern = matcher, pattern

    def discard(
        self, event: str, where: str, node: Node, message: str, hint: str = "", offset: int = -1, *, code: str = ""
    ) -> None:
        """Report that a part of the file is discarded, and record its hook as lost."""
        self.warn(node.offset if offset < 0 else offset, message, hint, code=code)
        if code == "wrong-type":
            self.loaded.refused.append(self.loaded.diagnostics[-1])
        self.lose(event, where, node, message, hint)

    def not_grouped(self, event: str, where: str, node: Node, inner: Node | None) -> None:
        """Report a definition without a list of hooks; the most common mistake is a flat hook."""
        if inner is not None:
            message = f"{where}: hooks must be an array, not {inner.described}; the definition is discarded"
            self.discard(event, where, node, message, "put it in [ ]", inner.offset, code="wrong-type")
            return
        if node.get("command") is not None:
            hint = 'write {"hooks": [{"type": "command", "command": "..."}]}, with the matcher outside'
            message = f"{where} is a flat hook without a definition around it; it is discarded"
            self.discard(event, where, node, message, hint, code="wrong-nesting")
            return
        strange = [member.key for member in node.value if member.key not in DEFINITION_FIELDS]
        hints = [did_you_mean(key, DEFINITION_FIELDS) for key in strange]
        hint = next(filter(None, hints), 'add "hooks": [ ... ]')
        self.discard(event, where, node, f"{where} has no hooks; it is discarded", hint, code="no-hooks")

    def sequential(self, where: str, fields: Mapping[str, Node]) -> bool:
        """Return whether ``sequential`` is true."""
        node = fields.get("sequential")
        if node is None:
            return False
        hint = "write true without quotes" if node.value in ("true", "True") else "write true or false"
        if not self.expect(node, "boolean", f"{where}: sequential must be true or false", hint, severity="warning"):
            return False
        return bool(node.value)

    # -- matchers -----------------------------------------------------------------------------------------------------

    def matcher(self, event: str, where: str, node: Node | None) -> tuple[str, Pattern | None]:
        """Read a matcher, by the rules of its event (gemini 1)."""
        if node is None:
            return "", None
        if not self.expect(node, "string", f"{where}: matcher must be a string"):
            return "", None
        text = node.value.strip()
        if text in ("", "*"):
            return "", None
        row = EVENTS[event]
        if row.subject == "tool_name":
            return text, self.tool_pattern(where, node, text)
        if not row.matches or row.unmatched in self.quirks:
            self.warn(node.offset, f"{where}: matchers are ignored on {event}; its hooks always run", "leave it out")
            return "", None
        self.check_exact(event, where, node, text)
        return text, Exactly((text,))

    def tool_pattern(self, where: str, node: Node, text: str) -> Pattern:
        """Compile a JavaScript regex; a text that is not a valid one is compared with the whole name."""
        try:
            pattern = compile_js(text)
        except BadMatcher as error:
            hint = f'write ".{text}"' if text.startswith("*") else "correct it, or write the tool's whole name"
            message = f'{where}: "{text}" is not a regular expression ({error}); it is compared as a whole name'
            self.warn(node.offset, message, hint, code="matcher-invalid")
            return Exactly((text,))
        words = text.removeprefix("^").removesuffix("$").strip("()").split("|")
        own = {name for names in TOOLS.values() for name in names}
        foreign = [word for word in words if own_names(word) and word in KIND_OF and word not in own]
        unmatched = [word for word in foreign if not any(may_match(pattern, name) for name in own_names(word))]
        if unmatched:
            names = ", ".join(f'{word} is "{own_names(word)[0]}"' for word in unmatched)
            message = f"{where}: the matcher names another system's tools"
            self.warn(node.offset, message, f"in Gemini CLI {names}", code="matcher-other-system")
        return pattern

    def check_exact(self, event: str, where: str, node: Node, text: str) -> None:
        """Warn about a matcher that can never match: on these events, matchers are exact strings (gemini 1)."""
        known = EVENTS[event].matches
        if text in known:
            return
        subject = EVENTS[event].subject
        if "|" in text:
            hint = "write one definition for each, or leave the matcher out"
        else:
            hint = did_you_mean(text, known) or f"write one of: {', '.join(known)}"
        message = f'{where}: the matcher "{text}" never matches: on {event} it must equal the {subject}'
        self.warn(node.offset, message, hint, code="matcher-matches-nothing")

    # -- one hook -----------------------------------------------------------------------------------------------------

    def hook(self, event: str, where: str, node: Node) -> HookSpec | None:
        """Read one hook; None if it is discarded, with a diagnostic."""
        if not self.is_object(event, where, node):
            return None
        fields = self.fields(where, node, HOOK_FIELDS)
        if not self.is_command(event, where, node, fields):
            return None
        command = fields.get("command")
        if command is None or command.kind != "string" or not command.value:
            offset = node.offset if command is None else command.offset
            what = "is missing" if command is None else "is empty" if command.kind == "string" else "must be a string"
            hint = 'add "command": "..."' if command is None else ""
            self.discard(
                event, where, node, f"{where}: command {what}; the hook is discarded", hint, offset, code="missing-key"
            )
            return None
        before = self.mistakes
        timeout = self.timeout(where, fields)
        if self.mistakes > before:
            return None
        name = self.label(where, fields, "name")
        self.label(where, fields, "description")
        env = self.variables_of(where, fields.get("env"))
        text = self.substituted(command.value)
        key: tuple[object, ...] = (name, text)
        if "env_not_in_key" not in self.quirks:
            key = (name, text, tuple(sorted(env.items())))
        extra: dict[str, JSON] = {"extension": self.extension} if self.extension else {}
        place = self.place(node)
        return HookSpec(event, text, timeout=timeout, name=name, env=env or None, origin=place, key=key, extra=extra)

    def is_command(self, event: str, where: str, node: Node, fields: Mapping[str, Node]) -> bool:
        """Return whether a hook has the type that runs, ``command``; discard any other, with a diagnostic."""
        kind = fields.get("type")
        if kind is None:
            message = f"{where}: type is missing; the hook is discarded"
            self.discard(event, where, node, message, 'add "type": "command"', code="missing-key")
            return False
        if kind.value == "command" or (kind.value == "plugin" and "command" in fields):
            return True  # a plugin hook with a command runs, too (decisions gemini)
        shown = f'"{kind.value}"' if kind.kind == "string" else kind.described
        hint = did_you_mean(kind.value, ("command",)) if kind.kind == "string" else ""
        message = f"{where}: type {shown} does not run here; the hook is discarded"
        self.discard(
            event, where, node, message, hint or 'only "command" is supported', kind.offset, code="hook-never-runs"
        )
        return False

    def label(self, where: str, fields: Mapping[str, Node], name: str) -> str:
        """Read a text without effect: one of another type is ignored with a warning."""
        node = fields.get(name)
        if node is not None and node.kind != "string":
            self.warn(
                node.offset,
                f"{where}: {name} must be a string, not {node.described}; it is ignored",
                code="wrong-type",
            )
            return ""
        return "" if node is None else str(node.value)

    def timeout(self, where: str, fields: Mapping[str, Node]) -> float:
        """Read milliseconds and return seconds (gemini 1); accept a number in quotes, with a warning."""
        node = fields.get("timeout")
        if node is None:
            return DEFAULT_TIMEOUT
        value = node.value
        if node.kind == "string":
            try:
                value = float(value)
            except ValueError:
                value = None
            if value is not None and value == value:  # not "nan"
                message = f"{where}: timeout must be a number of milliseconds, not a string"
                self.warn(node.offset, message, f"write {node.value.strip()} without quotes", code="wrong-type")
                node = Node("number", value, node.offset, node.end)
        if not self.expect(
            node,
            "number",
            f"{where}: timeout must be a number of milliseconds",
            ends="; 60000 is used",
            severity="warning",
        ):
            return DEFAULT_TIMEOUT
        if value <= 0:
            if "zero_timeout" in self.quirks:
                return 0.0
            hint = "write milliseconds, or leave it out for 60000"
            self.report(
                node.offset,
                f"{where}: a timeout of {value:g} would end the hook before it starts",
                hint,
                code="timeout-invalid",
            )
            return DEFAULT_TIMEOUT
        if value > _LONGEST_OF_NODE:
            message = (
                f"{where}: a timeout of {value:g} ms is more than Node's timers support: it ends the hook after 1 ms"
            )
            self.refuse(node.offset, message, f"write {_LONGEST_OF_NODE} or less, or leave it out for 60000")
        if value <= LOOKS_LIKE_SECONDS:
            hint = f"for {value:g} seconds write {value * 1000:.15g}"
            message = f"{where}: Gemini CLI counts milliseconds, and a timeout of {value:g} looks like seconds"
            self.warn(node.offset, message, hint, code="timeout-unit")
        return min(float(value) / 1000, LONGEST_TIMEOUT)

    def substituted(self, text: str) -> str:
        """Expand an extension's variables (gemini 1); the project's is expanded when the hook runs."""
        if not self.extension or "${" not in text:
            return text
        slash = "\\" if "\\" in self.extension else "/"
        text = text.replace("${extensionPath}", self.extension)
        return text.replace("${/}", slash).replace("${pathSeparator}", slash)
