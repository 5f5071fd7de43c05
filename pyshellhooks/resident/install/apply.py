"""``--install`` and ``--uninstall`` on the disk, in an order in which a crash leaves a state that works."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import NamedTuple

from ...engine.config.host_context import working_directory
from ...hooks.installed import is_entry
from ...hooks.model import Origin
from ..project import UNNAMED
from . import files, transfer_trust
from .files import Undo
from .plan import Entry, Plan, make
from .settings import Settings, owner_may_write, same
from .targets import Refused, Target

EDITED = "it was edited since `serve --install` wrote it"


class UninstallPlan(NamedTuple):
    """The plan of ``--uninstall`` for one settings file. ``after`` None: it stays, and only our files are removed."""

    target: Target
    settings: Settings
    after: bytes | None
    events: tuple[str, ...]


def plan_install(target: Target, entry: Entry) -> Plan:
    """Return the plan for one file. Raises ``Refused`` if it could not be undone."""
    settings = Settings.at(target.path)
    plan = make(target, settings, entry)
    ours = files.read(target.ours)
    if plan.installed:
        if ours is None:
            raise Refused(
                f"{target.ours}: missing, although {target.path} runs its hooks; restore the hooks with --uninstall"
            )
        return plan
    if not plan.moved:
        return plan
    if not owner_may_write(target.real):
        raise Refused(f"{target.real}: read-only; run `chmod u+w` on it first")
    undo = files.read_undo(target)
    if ours is None:
        return plan
    if undo is None:
        raise Refused(f"{target.ours}: it exists, and `serve --install` did not write it; move it away first")
    if undo.ours.encode() != ours:
        raise Refused(f"{target.ours}: {EDITED}; move it away first")
    return plan  # left by a crash before the settings were written


def install(plan: Plan, env: Mapping[str, str]) -> bool:
    """Write the plan's files and return whether trust was renewed. Raises ``Refused``, ``OSError``; then none stays."""
    target = plan.target
    undo = Undo(plan.removed, plan.written, plan.ours.decode())
    try:
        files.put(target.undo, undo.data(target), target.real)
        files.put(target.ours, plan.ours, target.real)
        contents = {target.path: plan.after, target.ours: plan.ours}
        trusted = transfer_trust.renew(target, env, plan.settings.data, contents, plan.events)
        _check_unchanged(target, plan.settings)
        files.put(target.real, plan.after, target.real)
    except (OSError, Refused):
        for path in (target.ours, target.undo):
            with suppress(OSError):
                files.remove(path)
        raise
    return trusted


def plan_uninstall(target: Target, *, force: bool = False) -> UninstallPlan | None:
    """Return the plan to undo ``--install``, or None if it is not installed. Raises ``Refused``.

    ``force``: discard later edits.
    """
    settings = Settings.at(target.path)
    undo = files.read_undo(target)
    specs = target.dialect.load(settings.text, Origin(target.path, target.scope)).specs
    events = tuple(dict.fromkeys(spec.event for spec in specs if is_entry(spec, target.dialect.name)))
    if undo is None:
        if events:
            raise Refused(
                f"{target.undo}: missing, so the original hooks of {target.path} are unknown; move the hooks back by hand from "
                f"{target.ours}, and remove the entries that name it"
            )
        return None
    ours = files.read(target.ours)
    is_edited = bool(ours) and ours != undo.ours.encode()
    may_overwrite = force or not is_edited
    if ours is not None and not may_overwrite:
        raise _edited(target.ours, undo.ours, ours.decode("utf-8", "replace"))
    after = _put_back(target, settings, undo, force)
    if after is not None and not owner_may_write(target.real):
        raise Refused(f"{target.real}: read-only; run `chmod u+w` on it first")
    return UninstallPlan(target, settings, after, events)


def _put_back(target: Target, settings: Settings, undo: Undo, force: bool) -> bytes | None:
    """Return the settings with their original hooks; None if they already have them. Raises ``Refused``."""
    member = settings.member("hooks")
    now = "" if member is None else settings.slice(member.node)
    if same(now, undo.removed):
        return None  # a crash left our files, or a person has restored the hooks
    if not same(now, undo.written) and not force:
        raise _edited(target.path, undo.written, now)
    if member is None:
        raise Refused(f'{target.path}: "hooks" was removed; add "hooks": null as their place')
    removed = undo.removed
    if now != undo.written and now == _with_newlines(undo.written, settings.newline):
        removed = _with_newlines(removed, settings.newline)  # a clone with other line endings
    return settings.with_replacement(member.node, removed)


def _with_newlines(text: str, newline: str) -> str:
    return text.replace("\r\n", "\n").replace("\n", newline)


def _edited(path: str, before: str, now: str) -> Refused:
    hint = "Undo the edit, or make it in the file of hooks, or discard it with --force"
    return Refused(f"{path}: {EDITED}. {hint}", path, before, now)


def uninstall(back: UninstallPlan, env: Mapping[str, str]) -> bool:
    """Restore the hooks, then remove our files. Return whether trust was renewed. Raises ``Refused``, ``OSError``."""
    target = back.target
    after = back.settings.data if back.after is None else back.after
    trusted = transfer_trust.renew(
        target, env, back.settings.data, {target.path: after}, back.events, gone=(target.ours,)
    )
    if back.after is not None:
        _check_unchanged(target, back.settings)
        files.put(target.real, back.after, target.real)
    files.remove(target.ours)
    files.remove(target.undo)
    return trusted


def _check_unchanged(target: Target, settings: Settings) -> None:
    if files.read(target.real) != settings.data:
        raise Refused(f"{target.path}: another program has just changed it; try again")


def elsewhere(target: Target, cwd: str) -> str:
    """Return a message if a project's entry does not work in the agent's current directory, otherwise ``""``."""
    if target.scope != "project" or target.dialect.name in UNNAMED:
        return ""  # the entry has an absolute path
    if working_directory(cwd, None).rstrip("/") == target.root.rstrip("/"):
        return ""
    return (
        f"the entry works only if {target.dialect.title} starts in {target.root}; elsewhere it denies. "
        "--absolute makes it work everywhere on this machine"
    )
