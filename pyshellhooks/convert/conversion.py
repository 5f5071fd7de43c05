"""Conversion of one config: each hook in turn, and the losses of each."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from ..engine.checks.checker import home
from ..engine.config import loading
from ..errors import Diagnostic, UsageError
from ..hooks.adapted import Adapted, adapted_of
from ..hooks.config_form import Hook
from ..hooks.dialect import CLOSED, Dialect, EventSpec
from ..hooks.model import FAILURES, Decision, HookSpec, Origin, PermissionRule
from ..jsontext.document import Node
from ..limits import GRACE
from .answers import DECISIONS, OTHER_PARTS, AnswerForms
from .commands import missing_variables, translated_command
from .events import event_for, report_condition
from .losses import DECISION, EVENT, FAILURE, FIELD, PERMISSION, SCRIPT, TIMEOUT, Loss, Losses
from .matchers import MatcherTranslation, kinds_of
from .payloads import in_patches, renamed
from .script_texts import ScriptTexts, texts_of
from .source import SourceConfig, SourceHook, read_config
from .target import Target

CLIENT_SECONDS = GRACE + 6.0  # by which the agent waits longer for the client than the client for the hook
#: Keys that the conversion reads itself, under any system's names.
_READ = frozenset(["type", "matcher", "match", "hooks", "event", "source", "id"])


class Conversion(NamedTuple):
    """A config for another system. ``text``: of the file; ``hooks``: their number; ``losses``: in the order of the file."""

    source: Dialect
    target: Dialect
    text: str
    config: Mapping[str, Any]
    hooks: int
    losses: tuple[Loss, ...]

    @property
    def weaker(self) -> bool:
        """Whether the converted config guards less than the original."""
        return any(loss.weaker for loss in self.losses)


def convert(
    source: loading.Source,
    dialect: Dialect,
    target: Dialect,
    *,
    file: str = "",
    agent: str = "",
    wrap: bool = False,
    env: Mapping[str, str] | None = None,
) -> Conversion:
    """Convert a config. ``file``: the name under which it will be written; ``wrap``: scripts may run behind the client.

    Raises ``ConfigError`` for a config that does not load, ``UsageError`` for a system that can't be written.
    """
    form = target.config_form
    if form is None:
        raise UsageError(f"{target.title}: writing its configs is not supported")
    config = read_config(source, dialect, agent)
    directory = home(dialect, source.name)
    if not os.path.isdir(directory):  # the file has a name only, such as that of a text
        directory = os.getcwd()
    converter = _Converter(config, Target(target, form, file), directory, env or dict(os.environ), wrap=wrap)
    return converter.convert()


class _Converter:
    """The conversion of one config."""

    def __init__(
        self, config: SourceConfig, target: Target, directory: str, env: Mapping[str, str], *, wrap: bool
    ) -> None:
        self.config = config
        self.source = config.dialect
        self.target = target
        self.wrap = wrap
        self.texts = texts_of(self.source, [hook.spec for hook in config.hooks], directory, env)

    def convert(self) -> Conversion:
        """Return the converted config with its losses."""
        written: list[tuple[str, Hook]] = []
        losses: list[Loss] = list(self._of_file())
        for hook, texts in zip(self.config.hooks, self.texts, strict=True):
            own = Losses(hook.spec.origin)
            written += self._hook(hook, texts, own)
            losses += own.all
        config = self.target.config(written)
        losses += self._of_result(config, len(written))
        losses.sort(key=lambda loss: (loss.diagnostic.line, loss.diagnostic.column))
        text = self.target.text(config)
        return Conversion(self.source, self.target.dialect, text, config, len(written), tuple(losses))

    def _of_file(self) -> Iterator[Loss]:
        """Yield the losses that no single hook has: hooks that do not run as they are written, and variables."""
        yield from self._permissions()
        for spec, notice, diagnostic in self.config.loaded.lost:
            if diagnostic.message.startswith("permissions."):
                continue  # no rule is converted
            losses = Losses(spec.origin if spec.origin.line else Origin(diagnostic.file, line=diagnostic.line))
            losses.lost(EVENT, f"the hook is not converted, because {self.source.title} does not run it: {notice}")
            yield from losses.all
        for spec, reason in self.config.off:
            losses = Losses(spec.origin)
            losses.lost(EVENT, f"the hook is not converted: {reason}")
            yield from losses.all
        losses = Losses(Origin(self.config.file))
        missing_variables(self.config.loaded.env, self.target.dialect.title, losses)
        yield from losses.all

    def _permissions(self) -> Iterator[Loss]:
        """Yield a loss for each list of permission rules, which decide beside hooks."""
        lists: dict[Decision, list[PermissionRule]] = {}
        for rule in self.config.loaded.permissions:
            lists.setdefault(rule.decision, []).append(rule)
        for decision, rules in lists.items():
            losses = Losses(rules[0].origin)
            texts = ", ".join(rule.text for rule in rules)
            message = f"permissions.{decision} is not converted, only hooks are: {texts}"
            losses.lost(PERMISSION, message, f"write them in the permissions of {self.target.dialect.title}")
            yield from losses.all

    def _of_result(self, config: Mapping[str, Any], hooks: int) -> Iterator[Loss]:
        """Yield the problems with which the other system loads the result: it should have none."""
        if not hooks:
            return
        loaded = self.target.load(dict(config))
        wrong = [*loaded.errors, *loaded.refused]
        if len(self.target.dialect.combine([loaded]).specs) == hooks and not wrong:
            return
        for diagnostic in wrong or [Diagnostic("", 0, 0, "some hooks are missing")]:
            message = f"{self.target.dialect.title} does not load the result as it is: {diagnostic.message}"
            yield Loss(EVENT, Diagnostic(self.config.file, 0, 0, message, diagnostic.hint))

    # -- one hook -----------------------------------------------------------------------------------------------------

    def _hook(self, hook: SourceHook, texts: ScriptTexts, losses: Losses) -> list[tuple[str, Hook]]:
        """Return the hooks of the other system that take the place of one; [] if it has none."""
        title = self.target.dialect.title
        guards = _may_hold_back(self.source, hook.row, texts)
        adapted = adapted_of(hook.spec.command) if hook.spec.kind == "command" else None
        row = self._row(hook, adapted)
        if row is None:
            message = f"{title} has no event for {hook.row.native}: the hook is left out"
            losses.of_guard(guards and bool(hook.row.guards), EVENT, message)
            return []
        written = self._body(hook, row, texts, adapted, losses, guards=guards)
        if written is None:
            return []
        report_condition(hook.row, row, self.target.dialect, losses, guards=guards and bool(hook.row.guards))
        translation = MatcherTranslation(
            self.source, hook, self.target, row, losses, guards=guards and bool(hook.row.guards)
        )
        matchers = translation.results()
        if not matchers:
            losses.of_guard(
                guards and bool(hook.row.guards), EVENT, f"the hook is left out: no call in {title} matches"
            )
        hooks = [written if matcher is None else {**written, "matcher": matcher} for matcher in matchers]
        return [(row.native, result) for result in hooks]

    def _row(self, hook: SourceHook, adapted: Adapted | None) -> EventSpec | None:
        """Return the event of the other system: that of a hook that was written for it, or the one of the same meaning."""
        target = self.target.dialect
        if adapted is not None and adapted.written_for.partition("@")[0] == target.name:
            return target.events.get(adapted.event)
        return event_for(hook.row, target)

    def _body(
        self,
        hook: SourceHook,
        row: EventSpec,
        texts: ScriptTexts,
        adapted: Adapted | None,
        losses: Losses,
        *,
        guards: bool,
    ) -> Hook | None:
        """Return the hook without its matcher; None if the other system has no such hook."""
        title = self.target.dialect.title
        if hook.spec.kind != "command":
            written = self._other_type(hook, row)
            if written is None:
                message = f"{title} runs no hooks of type {hook.spec.kind} on {row.native}: the hook is left out"
                losses.of_guard(bool(hook.row.guards), FIELD, message)
            return written
        written = {}
        seconds = self._command(hook, row, texts, adapted, losses, written, guards=guards)
        self._timeout(hook, row, seconds, written, losses)
        if adapted is None:
            self._failures(hook, row, written)
        self._other_keys(hook, row, texts, written, losses, guards=guards)
        return written

    def _other_type(self, hook: SourceHook, row: EventSpec) -> Hook | None:
        """Return a hook of another type than command, with the keys that both systems have; None if it would not run."""
        if hook.spec.kind not in self.target.dialect.handled:
            return None
        known = self.target.dialect.hook_keys()
        written = {
            key: node.plain() for key, node in hook.keys.items() if key in known and key not in ("matcher", "if")
        }
        spec = self.target.try_hook(row, written)
        return written if spec is not None and spec.kind == hook.spec.kind else None

    @property
    def can_wrap(self) -> bool:
        """Whether a hook can run behind the client: both systems run programs of this machine."""
        return self.target.form.programs and not self.source.session_files

    def _hint(self, text: str) -> str:
        """Return a hint at ``--wrap``; ``""`` if it has no effect."""
        return text if self.can_wrap and not self.wrap else ""

    # -- the command --------------------------------------------------------------------------------------------------

    def _command(
        self,
        hook: SourceHook,
        row: EventSpec,
        texts: ScriptTexts,
        adapted: Adapted | None,
        losses: Losses,
        written: Hook,
        *,
        guards: bool,
    ) -> float:
        """Write the command, behind the client if its script needs that; return the seconds that the agent gives it."""
        key = self.target.form.command
        target = self.target.dialect
        if adapted is not None:
            if adapted.written_for.partition("@")[0] == target.name:
                written[key] = adapted.command
                return adapted.seconds
            written[key] = adapted._replace(agent=target.name).text()
            return adapted.seconds + CLIENT_SECONDS
        command = _text_of(hook)
        plain = Losses(hook.spec.origin)
        closed = self._closed_for_deny(hook, row, texts)
        self._script_losses(hook, row, texts, plain, closed, guards=guards)
        translated = translated_command(command, self.source, target, texts, plain, guards=guards)
        is_open = self._opens(hook, row)
        if is_open:
            here = self.source.title
            message = f"a failure of the hook denies in {here}, and lets the call pass in {target.title}"
            plain.weaker(FAILURE, message, self._hint("--wrap denies after a failure of the hook"))
        patches = in_patches(self.source, target, kinds_of(self.source, hook), texts)
        if patches:
            message = f"{target.title} edits files by patches: the script finds no {', '.join(patches)} there"
            losses.of_guard(guards, SCRIPT, message, "read the patch in the script, for this system")
        if not (self.wrap and self.can_wrap and plain.all):
            losses.extend(plain.all)
            written[key] = translated
            self._write_closed(closed, written, losses)
            self._report_stricter_failures(hook, row, losses)
            return hook.spec.timeout
        if is_open:
            message = f"{target.title} lets the call pass if pyshellhooks-hook itself can't be started"
            losses.lost(FAILURE, message)
        self._client_losses(hook, row, texts, losses)
        strict = _closed_of(hook) >= FAILURES - {"cancelled"}
        written[key] = Adapted(
            target.name, self.source.full_name if self.source.edition != _default(self.source) else self.source.name,
            hook.row.native, command, hook.spec.timeout, strict,
        ).text()  # fmt: skip
        return hook.spec.timeout + CLIENT_SECONDS

    def _closed_for_deny(self, hook: SourceHook, row: EventSpec, texts: ScriptTexts) -> HookSpec | None:
        """Return a hook with the key by which failures deny, if a deny of the script counts only with it."""
        target = self.target.dialect
        if not AnswerForms(self.source, hook.row, target, row).lost("deny", texts):
            return None
        spec = self._spec_closed(row)
        if spec is None or AnswerForms(self.source, hook.row, target, row, spec).lost("deny", texts):
            return None
        return spec

    def _write_closed(self, closed: HookSpec | None, written: Hook, losses: Losses) -> None:
        """Write the key by which failures deny, if the hook's deny needs it."""
        if closed is None:
            return
        key, value = self.target.form.closed
        written[key] = value
        message = f"{self.target.dialect.title} takes the deny only with {key}, and then any failure of the hook denies"
        losses.changed(FAILURE, message)

    def _report_stricter_failures(self, hook: SourceHook, row: EventSpec, losses: Losses) -> None:
        """Report that a failure of any hook denies in the other system, and not in this one."""
        stricter = _closed(row, None) - _closed_of(hook) - {"cancelled"}
        if stricter and "deny" in row.can:
            here, there = self.source.title, self.target.dialect.title
            losses.changed(FAILURE, f"a failure of the hook denies in {there}, and lets the call pass in {here}")

    def _script_losses(
        self,
        hook: SourceHook,
        row: EventSpec,
        texts: ScriptTexts,
        losses: Losses,
        closed: HookSpec | None,
        *,
        guards: bool,
    ) -> None:
        """Report the losses of a script without the client: words of its payload, and parts of its answer."""
        title = self.target.dialect.title
        kinds = kinds_of(self.source, hook)
        words = dict(renamed(self.source, hook.row, self.target.dialect, row, kinds, texts))
        if words:
            listed = ", ".join(f"{word} ({name})" if name else f"{word} (missing)" for word, name in words.items())
            verb = "reads" if texts.whole else "can't be read here as a whole, and may read"
            message = f"the script {verb} words that {title} has under other names: {listed}"
            hint = self._hint("--wrap gives it the payload of its own system")
            losses.of_guard(guards, SCRIPT, message, hint)
        forms = AnswerForms(self.source, hook.row, self.target.dialect, row, closed)
        verb = "answers" if texts.whole else "can't be read here as a whole, and may answer"
        parts = [part for part in DECISIONS if forms.lost(part, texts)]
        if parts:
            listed = ", ".join(map(_named, parts))
            message = f"the script {verb} with {listed}: {title} does not take that from it on {row.native}"
            helps = any(forms.lost_behind_client(part, texts) != "lost" for part in parts)
            losses.weaker(DECISION, message, self._hint("--wrap translates its answers") if helps else "")
        if forms.rewrite_allows(texts):
            message = f"a rewrite of the script also allows the call in {title}, and does not in {self.source.title}"
            losses.weaker(DECISION, message, self._hint("--wrap translates its answers"))
        others = [part for part in OTHER_PARTS if texts.whole and forms.lost(part, texts)]
        if others:
            losses.lost(DECISION, f"{title} does not take from the script: {', '.join(map(_named, others))}")

    def _client_losses(self, hook: SourceHook, row: EventSpec, texts: ScriptTexts, losses: Losses) -> None:
        """Report the parts of an answer that the client can't translate, or translates into a stricter one."""
        title = self.target.dialect.title
        forms = AnswerForms(self.source, hook.row, self.target.dialect, row)
        for part in (*DECISIONS, *OTHER_PARTS):
            effect = forms.lost_behind_client(part, texts)
            if effect == "lost" and part in DECISIONS:
                losses.weaker(DECISION, f"{title} can't express {_named(part)} on {row.native}")
            elif effect == "lost" and texts.whole:
                losses.lost(DECISION, f"{title} can't express {_named(part)} on {row.native}")
            elif effect and part in row.can:
                losses.changed(DECISION, f"{_named(part)} becomes a {effect}, except with an allow: {title} needs that")
            elif effect in ("deny", "halt"):
                losses.changed(DECISION, f"{_named(part)} becomes a {effect}: {title} can't express it on {row.native}")

    # -- other fields -------------------------------------------------------------------------------------------------

    def _timeout(self, hook: SourceHook, row: EventSpec, seconds: float, written: Hook, losses: Losses) -> None:
        """Write the timeout, unless the other system has the same by default."""
        target = self.target.dialect
        default = row.timeout or target.default_timeout
        is_own_default = hook.spec.timeout == (hook.row.timeout or self.source.default_timeout)
        if seconds == default:
            return
        form = self.target.form
        limited = max(seconds, form.shortest)
        limited = min(limited, form.longest) if form.longest else limited
        key, unit = target.timeout_key
        value = math.ceil(limited * 1000 if unit == "milliseconds" else limited)
        loaded = self.target.try_hook(row, {form.command: "true", key: value})
        if loaded is not None:
            limited = loaded.timeout
        written[key] = value
        if limited < seconds:
            message = f"{target.title} gives a hook of {row.native} {limited:g} seconds at most, not {seconds:g}"
            report = losses.changed if is_own_default else losses.lost
            report(TIMEOUT, message)

    def _failures(self, hook: SourceHook, row: EventSpec, written: Hook) -> None:
        """Write that a failure of the hook denies, if it does so, and the other system can express it."""
        missing = _closed_of(hook) - _closed(row, None)
        key, value = self.target.form.closed
        if missing and key and missing <= self._closed_by_key(row):
            written[key] = value

    def _opens(self, hook: SourceHook, row: EventSpec) -> bool:
        """Return whether a failure of the hook denies in its own system only."""
        missing = _closed_of(hook) - _closed(row, None)
        return bool(missing) and not missing <= self._closed_by_key(row)

    def _closed_by_key(self, row: EventSpec) -> frozenset[str]:
        """Return the failures with which a hook denies that has the other system's key for it."""
        spec = self._spec_closed(row)
        return frozenset() if spec is None else _closed(row, spec.on_failure)

    def _spec_closed(self, row: EventSpec) -> HookSpec | None:
        """Return a hook with the other system's key by which failures deny; None if it has none on this event."""
        key, value = self.target.form.closed
        return self.target.try_hook(row, {self.target.form.command: "true", key: value}) if key else None

    def _other_keys(
        self, hook: SourceHook, row: EventSpec, texts: ScriptTexts, written: Hook, losses: Losses, *, guards: bool
    ) -> None:
        """Copy the keys that the other system has under the same name, and list those that it does not have."""
        read = {*_READ, "command", "args", self.source.timeout_key[0]}
        form = self.source.config_form
        if form is not None:
            read |= {form.command, form.closed[0]}
        known = self.target.dialect.hook_keys()
        for key, node in {**hook.group, **hook.keys}.items():
            if key in read or (key == "shell" and node.value in ("bash", "sh")):
                continue
            if (
                key in known
                and key not in hook.group
                and self.target.try_hook(row, {self.target.form.command: "true", key: node.plain()})
            ):
                written[key] = node.plain()
                continue
            own = Losses(hook.origin(node, self.config.document))
            title = self.target.dialect.title
            if key == "if":
                own.changed(FIELD, f"{title} has no if: the hook runs on every call that its matcher matches")
            elif node.value not in (False, "", None):
                is_needed = guards and _script_needs(key, node, texts)
                own.of_guard(is_needed, FIELD, f'"{key}" is left out: {title} has no such field')
            losses.extend(own.all)


def _script_needs(key: str, node: Node, texts: ScriptTexts) -> bool:
    """Return whether a script may fail without a field: its directory, or variables that it reads."""
    if key == "cwd":
        return True
    return key == "env" and node.kind == "object" and any(texts.has_word(member.key) for member in node.value)


def _default(dialect: Dialect) -> str:
    return next(iter(dialect.editions))


def _text_of(hook: SourceHook) -> str:
    """Return the command of a hook as a shell's text."""
    if hook.spec.argv is None:
        return hook.spec.command
    from shlex import quote

    # Placeholders of the argument list stay variables of the shell.
    return " ".join(word if word.startswith("${") and word.isascii() else quote(word) for word in hook.spec.argv)


def _closed(row: EventSpec, on_failure: str | Mapping[str, str] | None) -> frozenset[str]:
    """Return the failures with which a hook denies."""
    if isinstance(on_failure, str):
        return FAILURES if on_failure == CLOSED else frozenset()
    policy = row.failure if on_failure is None else on_failure
    return frozenset(ended for ended, effect in policy.items() if effect == CLOSED)


def _closed_of(hook: SourceHook) -> frozenset[str]:
    """Return the failures with which a hook of the config denies, without the end of the agent itself."""
    if "deny" not in hook.row.can:
        return frozenset()
    return _closed(hook.row, hook.spec.on_failure) - {"cancelled"}


def _may_hold_back(dialect: Dialect, row: EventSpec, texts: ScriptTexts) -> bool:
    """Return whether a hook may refuse an act, or the end of a turn."""
    forms = AnswerForms(dialect, row, dialect, row)
    return any(forms.may(part, texts) for part in DECISIONS)


def _named(part: str) -> str:
    """Return the name of a part of an answer for a message."""
    names = {"output": "another result", "followup": "a follow-up", "env": "variables", "plugins": "plugins"}
    articles = {"deny": "a deny", "ask": "an ask", "halt": "a halt", "rewrite": "a rewrite", "allow": "an allow"}
    return names.get(part) or articles.get(part) or part


__all__ = ["Conversion", "convert"]
