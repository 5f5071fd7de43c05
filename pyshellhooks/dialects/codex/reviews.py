"""Reviews of hooks: the key and the hash under which a person's review of a hook is recorded (codex 2)."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ...errors import Diagnostic
from ...hooks.dialect import Loaded
from ...hooks.model import HookSpec
from ...jsontext.compact import JSON
from ...jsontext.document import Member

#: The quirk under which a hook is off that a person has disabled.
DISABLED_HOOKS_ARE_OFF = "disabled_hooks_are_off"
#: The record of reviews among the settings of a file: key of a hook -> ``Review``.
STATE = "hooks.state"

_UPPER = re.compile(r"(?<!^)(?=[A-Z])")
_INDEXES = re.compile(r"\[(\d+)\]\.hooks\[(\d+)\]\Z")


class Review:
    """The record of one hook. ``trusted_hash``: that of the reviewed hook. ``diagnostic``: for a disabled one."""

    __slots__ = ("diagnostic", "enabled", "trusted_hash")

    def __init__(self, enabled: bool | None, trusted_hash: str | None, diagnostic: Diagnostic) -> None:
        self.enabled = enabled
        self.trusted_hash = trusted_hash
        self.diagnostic = diagnostic

    def updated(self, later: Review) -> Review:
        """Return the record with the fields of one in a later file."""
        enabled = self.enabled if later.enabled is None else later.enabled
        trusted_hash = self.trusted_hash if later.trusted_hash is None else later.trusted_hash
        return Review(enabled, trusted_hash, self.diagnostic if later.enabled is None else later.diagnostic)


def review_of(member: Member, diagnostic: Diagnostic) -> Review | None:
    """Return the record of a hook; None for one with a wrong type, which Codex skips."""
    values = member.node.plain()
    if not isinstance(values, dict):
        return None
    enabled, trusted_hash = values.get("enabled"), values.get("trusted_hash")
    if not isinstance(enabled, bool | None) or not isinstance(trusted_hash, str | None):
        return None
    return Review(enabled, trusted_hash, diagnostic)


def reviews_of(parts: Iterable[Loaded]) -> dict[str, Review]:
    """Return the records of all files, by the hooks' keys; of two records of a hook each field of the later counts."""
    reviews: dict[str, Review] = {}
    for part in parts:
        for key, review in part.settings.pop(STATE, {}).items():
            known = reviews.get(key)
            reviews[key] = review if known is None else known.updated(review)
    return reviews


# -- identity ---------------------------------------------------------------------------------------------------------


def place_in_file(event: str, where: str) -> str:
    """Return the end of a hook's key: its event, and its place among the groups and handlers there (codex 2.6)."""
    indexes = _INDEXES.search(where)
    group, handler = indexes.groups() if indexes is not None else ("", "")
    return f"{_label(event)}:{group}:{handler}"


def _label(event: str) -> str:
    return _UPPER.sub("_", event).lower()


def hashes(event: str, matcher: str | None, handler: Mapping[str, JSON], windows: str) -> list[str]:
    """Return the hash of a hook, and on Windows, where another command may replace its own (codex 2.7)."""
    commands = [handler["command"], *([windows] if windows else [])]
    return [_hash(event, matcher, {**handler, "command": command}) for command in commands]


def _hash(event: str, matcher: str | None, handler: Mapping[str, JSON]) -> str:
    identity: dict[str, JSON] = {"event_name": _label(event), "hooks": [dict(handler)]}
    if matcher is not None:
        identity["matcher"] = matcher
    text = json.dumps(identity, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return f"sha256:{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}"


def key_of(spec: HookSpec, file: str) -> str:
    """Return the key of a hook; ``file``: the absolute path of its file."""
    return f"{_uniform(file)}:{spec.extra.get('place')}"


def uniform_key(key: str) -> str:
    """Return a key as ``key_of`` writes it."""
    return _uniform(key.strip())


def _uniform(path: str) -> str:
    return path.replace("\\", "/")


# -- effects ----------------------------------------------------------------------------------------------------------


def add_enabled(whole: Loaded, part: Loaded, reviews: Mapping[str, Review], *, is_off: bool) -> None:
    """Add the hooks of a file. ``is_off``: those that a person has disabled are off; otherwise they only are reported."""
    for spec in part.specs:
        review = reviews.get(key_of(spec, spec.origin.file))
        if review is None or review.enabled is not False:
            whole.specs.append(spec)
            continue
        whole.diagnostics.append(review.diagnostic)
        if is_off:
            whole.off.append((spec, review.diagnostic.message))
        else:
            whole.specs.append(spec)
            whole.off_in_agent.append(review.diagnostic)


def not_run(
    hooks: Sequence[tuple[HookSpec, Sequence[str]]], reviews: Mapping[str, Review], file: str
) -> Iterator[tuple[HookSpec, str, str]]:
    """Yield (hook, message, hint) for each hook that Codex does not run by the records of reviews in ``file``.

    ``hooks``: each with the absolute paths of its file.
    """
    for spec, files in hooks:
        keys = [key_of(spec, name) for name in files]
        review = next((reviews[key] for key in keys if key in reviews), None)
        if review is not None and review.enabled is False:
            yield spec, f"{file} disables it: Codex does not run it", "remove enabled = false there"
        elif review is None or review.trusted_hash is None:
            message = "Codex does not run it before its review; codex exec skips it without a message"
            yield spec, message, "start codex, and review it with /hooks"
        elif review.trusted_hash not in spec.extra.get("hashes", ()):
            yield spec, "it has changed since its review: Codex does not run it", "review it with /hooks"
