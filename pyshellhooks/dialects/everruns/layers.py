"""The merge of configurations: layers, ids of hooks, bundles of other capabilities, muting (everruns 1, 7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...errors import Diagnostic
from ...hooks.dialect import Loaded
from ...hooks.model import HookSpec, Origin
from ...hooks.suggest import did_you_mean
from ...jsontext.compact import JSON, WireError, dumps
from .config import AGENT, Loader
from .tables import CAPABILITY

USER = "user"


def combine(parts: Sequence[Loaded]) -> Loaded:
    """Join the parts, lowest first.

    An agent's document (harness, agent, session) that configures ``user_hooks`` replaces all lower configurations; a
    bare configuration adds its hooks, and each takes the place of a lower hook with the same explicit id.
    """
    whole = Loaded()
    whole.settings.update(shape="", order=[], muted=[])
    length = 0
    for part in parts:
        _diagnose(whole, part, any(one is not part and one.settings for one in parts))
        settings = part.settings
        if not settings:
            continue
        if settings["shape"] == AGENT:
            whole.settings["shape"] = AGENT
            whole.settings["order"] += [ref for ref in settings["order"] if ref not in whole.settings["order"]]
            if settings["configured"]:
                _replace(whole, part)
                length = 0
        _add(whole, part, length)
        length += settings["length"]
        whole.settings["muted"] += settings["muted"]
    for spec in whole.specs:
        _name(spec, USER)
    return whole


def _diagnose(whole: Loaded, part: Loaded, others: bool) -> None:
    """Add a part's diagnostics. If one file of the pair can't be read, they become warnings, so the other one loads."""
    diagnostics = part.diagnostics
    if not part.settings and others and part.origin.scope in ("user", "project"):
        diagnostics = [
            Diagnostic(
                diagnostic.file,
                diagnostic.line,
                diagnostic.column,
                f"{diagnostic.message}; the file is ignored",
                diagnostic.hint,
                "warning",
                code=diagnostic.code,
                source=diagnostic.source,
            )
            for diagnostic in diagnostics
        ]
        whole.strict_errors += diagnostics
    whole.diagnostics += diagnostics
    whole.strict_errors += part.strict_errors


def _replace(whole: Loaded, part: Loaded) -> None:
    """Drop the configuration of lower layers; report it if that drops hooks."""
    if whole.specs:
        count = len(whole.specs)
        whole.off += [(spec, f"{part.origin.file} replaces it") for spec in whole.specs]
        message = f"replaces the {CAPABILITY} of a lower layer and its {count} hook{'s' if count != 1 else ''}"
        whole.diagnostics.append(Diagnostic(part.origin.file, 0, 0, message, severity="warning", code="switched-off"))
    whole.specs = []
    whole.lost = []
    whole.settings["muted"] = []


def _add(whole: Loaded, part: Loaded, length: int) -> None:
    """Add a part's hooks: after the lower ones, or in place of one with the same explicit id."""
    lower = list(whole.specs)
    whole.lost += part.lost
    for id, place in part.settings["dropped"]:
        specs = [spec for spec in lower if id in _ids(spec)]
        whole.specs = [spec for spec in whole.specs if spec not in specs]
        for spec in specs:
            whole.off.append((spec, f"{place} disables it"))
            whole.diagnostics.append(
                Diagnostic(
                    place.file,
                    place.line,
                    place.column,
                    f'disables the hook "{id}"',
                    severity="warning",
                    code="switched-off",
                )
            )
        if not specs:
            known = [spec.extra["given"] or spec.extra["default"] for spec in lower]
            whole.diagnostics.append(_unknown("disabled: no lower file has", id, place, known))
    named = {spec.extra["given"]: spec for spec in whole.specs if spec.extra["given"]}
    for spec in part.specs:
        spec.extra = {**spec.extra, "default": f"{spec.event}_{length + spec.extra['index']}"}
        twin = named.get(spec.extra["given"])
        if twin is None:
            whole.specs.append(spec)
        else:
            whole.specs[whole.specs.index(twin)] = spec
            whole.off.append((twin, f"{spec.origin} replaces it"))
            del named[spec.extra["given"]]


def _ids(spec: HookSpec) -> tuple[str, str]:
    name = spec.extra["given"] or spec.extra["default"]
    return name, f"{USER}:{name}"


def _name(spec: HookSpec, contributor: str) -> None:
    """Set a hook's id, once, before any hook is muted (everruns 7)."""
    name = spec.extra["given"] or spec.extra["default"]
    spec.id = spec.name = f"{contributor}:{name}"
    spec.extra = {**spec.extra, "id": spec.id}


def _unknown(what: str, id: str, place: Origin, known: Sequence[str], hint: str = "") -> Diagnostic:
    hint = did_you_mean(id, known) or hint
    return Diagnostic(place.file, place.line, place.column, f'{what} the id "{id}"', hint, "warning", code="no-effect")


def contribute(whole: Loaded, settings: Mapping[str, JSON]) -> Loaded:
    """Add the bundles that the host has registered, in the order of the capabilities, and mark muted hooks."""
    bundles = settings.get("bundles") or {}
    if not isinstance(bundles, Mapping):
        whole.diagnostics.append(
            Diagnostic("bundles", 0, 0, "bundles must be a mapping: capability -> list of hooks", code="wrong-type")
        )
        return whole
    order = [*whole.settings["order"]] if whole.settings["shape"] == AGENT else [*bundles]
    if CAPABILITY not in order:
        order.append(CAPABILITY)
    own, whole.specs = whole.specs, []
    for ref in order:
        if ref == CAPABILITY:
            whole.specs += own
        elif ref in bundles:
            whole.specs += _bundle(whole, ref, bundles[ref])
    if CAPABILITY in bundles:
        message = f'a bundle cannot have the name "{CAPABILITY}": it is the name of the configuration'
        whole.diagnostics.append(Diagnostic("bundles", 0, 0, message, code="wrong-type"))
    _mute(whole, bundles)
    return whole


def _bundle(whole: Loaded, ref: str, value: JSON) -> list[HookSpec]:
    """Read the hooks of one bundle; their ids begin with its capability, whatever their own ids are."""
    name = f"bundle {ref}"
    try:
        text = dumps(value if isinstance(value, Mapping) else {"hooks": value})
    except WireError as error:
        whole.diagnostics.append(Diagnostic(name, 0, 0, str(error), code="wrong-type"))
        return []
    loaded = Loader(text, Origin(name, "bundle")).load()
    whole.diagnostics += loaded.diagnostics
    whole.strict_errors += loaded.strict_errors
    for spec in loaded.specs:
        spec.extra = {**spec.extra, "default": f"{spec.event}_{spec.extra['index']}"}
        _name(spec, ref)
    return loaded.specs


def _mute(whole: Loaded, bundles: Mapping[str, JSON]) -> None:
    """Mark the hooks whose full id is listed; report an id that no hook has."""
    known = {spec.id for spec in whole.specs}
    muted = {id for id, _ in whole.settings["muted"]}
    for spec in whole.specs:
        if spec.id in muted:
            spec.extra = {**spec.extra, "muted": True}
    for id, place in whole.settings["muted"]:
        if id in known:
            continue
        capability, separated, _ = id.partition(":")
        hint = ""
        if not separated:
            hint = f'did you mean "{USER}:{id}"?' if f"{USER}:{id}" in known else "write capability:name or user:name"
        elif capability in whole.settings["order"] and capability not in bundles:
            hint = f'no bundle "{capability}" is registered: settings={{"bundles": {{"{capability}": [...]}}}}'
        what = "disabled_contributions: no hook has"
        whole.diagnostics.append(_unknown(what, id, place, () if hint else sorted(known), hint))
