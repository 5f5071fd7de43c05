"""Extensions of Gemini CLI: their locations, their enablement, and the errors that make it skip one (gemini 1.1)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from ...errors import message_of
from ...hooks.dialect import ConfigFile, HostContext
from ...hooks.places import EXTENSION_MANIFEST, PLUGIN_HOOKS
from ...jsontext.compact import JSON
from ...jsontext.document import object_of

MANIFEST = EXTENSION_MANIFEST
_RECORD = ".gemini-extension-install.json"  # written into the directory of an installed extension
_ENABLEMENT = "extension-enablement.json"
_NAME = re.compile(r"[A-Za-z0-9-]+", re.ASCII)
_LARGEST = 1 << 24  # bytes of a manifest
_SKIPPED = "Gemini CLI skips the extension"


def home_of(place: HostContext) -> str:
    """Return the directory that holds the user's ``.gemini``."""
    return place.env.get("GEMINI_CLI_HOME") or place.home


def brought(place: HostContext) -> Iterator[ConfigFile]:
    """Yield the hook files of the user's extensions, with notes on those that the program skips or never reads."""
    base = place.join(home_of(place), ".gemini", "extensions")
    rules, why = _rules(place, f"{base}/{_ENABLEMENT}")
    if why:
        message = f"{why}: Gemini CLI enables every extension"
        yield _refused(f"{base}/{_ENABLEMENT}", message, "repair it, or remove it and disable extensions again")
    names: dict[str, str] = {}
    for folder in place.names(base):
        root = _root(place, f"{base}/{folder}")
        name, fault = _name(place, root)
        other = names.setdefault(name, root) if name else root
        if other != root:
            fault = f"{other} has the same name, and Gemini CLI does not start"
        yield from extension(place, root, fault, rules.get(name))
    cwd = place.cwd.replace("\\", "/") if place.windows else place.cwd
    own = f"{cwd}/.gemini/extensions"
    for folder in place.names(own) if own != base else ():
        message = f"Gemini CLI reads only the user's extensions: hooks of {own}/{folder} never run"
        hooks = f"{own}/{folder}/{PLUGIN_HOOKS}"
        hint = f"gemini extensions link {own}/{folder}"
        yield ConfigFile(hooks, "project", supported=False, message=message, hint=hint, code="hook-never-runs")


def extension(
    place: HostContext, root: str, fault: str = "", rules: Sequence[str] | None = None
) -> Iterator[ConfigFile]:
    """Yield the hook files of an extension, with a diagnostic if the program skips it. ``rules``: its enablement rules."""
    hooks = f"{root}/{PLUGIN_HOOKS}"
    if fault:
        manifest = f"{root}/{MANIFEST}"
        file = manifest if place.exists(manifest) else hooks
        folder = root.rpartition("/")[2]
        yield _refused(file, f"{fault}: {_SKIPPED}", f'write {{"name": "{folder}", "version": "1.0.0"}}')
    elif (_object(place.text(f"{root}/{MANIFEST}")) or {}).get("hooks"):
        message = f"Gemini CLI reads no hooks from {MANIFEST}: those in {root} never run"
        hint = f"move them into {hooks}"
        yield ConfigFile(
            f"{root}/{MANIFEST}", "user", supported=False, message=message, hint=hint, code="hook-never-runs"
        )
    message = "" if _is_on(rules or (), place.cwd) else f"{_ENABLEMENT} disables the extension in {root} here"
    hint = "run `gemini extensions enable`" if message else ""
    yield ConfigFile(hooks, "user", message=message, hint=hint, code="switched-off", plugin=root, quiet=bool(message))


def fault_of(place: HostContext, root: str) -> str:
    """Return the reason why the program skips the extension in a directory; ``""`` if it does not."""
    return _name(place, root)[1]


def _refused(path: str, message: str, hint: str) -> ConfigFile:
    return ConfigFile(path, "user", supported=False, message=message, hint=hint, code="config-refused")


def _root(place: HostContext, directory: str) -> str:
    """Return the directory of an extension; a linked one is in its source directory."""
    record = _object(place.text(f"{directory}/{_RECORD}")) or {}
    source = record.get("source")
    return source.rstrip("/") if record.get("type") == "link" and isinstance(source, str) and source else directory


def _name(place: HostContext, root: str) -> tuple[str, str]:
    """Return the name of an extension, and the reason why the program skips it, or ``""``."""
    path = f"{root}/{MANIFEST}"
    if not place.exists(path):
        return "", f"it has no {MANIFEST}"
    try:
        text = place.read(path, _LARGEST).decode()
    except (OSError, ValueError) as error:
        why = message_of(error)
        return "", f"{MANIFEST} can't be read: {why}"
    manifest = _object(text)
    if manifest is None:
        return "", f"{MANIFEST} is not a JSON object without comments"
    name = manifest.get("name")
    if not name or not manifest.get("version"):
        return "", f'{MANIFEST} has no "{"version" if name else "name"}"'
    if not isinstance(name, str) or _NAME.fullmatch(name) is None:
        return "", f"{MANIFEST} has a name that does not consist of letters, digits and -"
    return name, ""


def _object(text: str) -> Mapping[str, JSON] | None:
    """Parse a JSON object as the program does: without comments or a byte order mark; None for any other text."""
    return object_of(text, comments=False)


# -- enablement -------------------------------------------------------------------------------------------------------


def _rules(place: HostContext, path: str) -> tuple[dict[str, list[str]], str]:
    """Return the rules of each extension, and the reason why the file can't be used, or ``""``."""
    if not place.exists(path):
        return {}, ""
    found: dict[str, list[str]] = {}
    try:
        table = _object(place.read(path, _LARGEST).decode())
    except (OSError, ValueError):
        table = None
    for name, entry in (table or {}).items():
        rules = entry.get("overrides") if isinstance(entry, dict) else None
        if not isinstance(rules, list) or not all(isinstance(rule, str) for rule in rules):
            return {}, f'"{name}" must have a list of strings as overrides'
        found[name] = [rule for rule in rules if isinstance(rule, str)]
    return found, "" if table is not None else "it can't be read, or is not a JSON object"


def _is_on(rules: Sequence[str], directory: str) -> bool:
    """Return whether an extension is on in a directory: the last rule that matches the directory counts."""
    whole = directory.replace("\\", "/").strip("/")
    place = f"/{whole}/" if whole else "/"
    on = True
    for rule in rules:
        if _rule_matches(rule.removeprefix("!"), place):
            on = not rule.startswith("!")
    return on


def _rule_matches(rule: str, place: str) -> bool:
    """Return whether a rule matches a directory: ``*`` matches any text, ``/*`` also the empty text."""
    *parts, last = rule.split("*")
    ends = {0}  # possible ends of the text matched so far
    for part in parts:
        literal = part.removesuffix("/")
        ends = _ends_after(literal, place, ends)
        begins = [end for end in ends if literal == part or place.startswith("/", end)]
        if begins:
            ends.update(range(min(begins) + len(part) - len(literal), len(place) + 1))
    return len(place) in _ends_after(last, place, ends)


def _ends_after(literal: str, place: str, ends: set[int]) -> set[int]:
    return {end + len(literal) for end in ends if place.startswith(literal, end)}


__all__ = ["MANIFEST", "brought", "extension", "fault_of", "home_of"]
