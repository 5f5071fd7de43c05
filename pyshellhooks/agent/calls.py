"""Calls of tools: the arguments that hooks judge, and the gates of calls that a framework may repeat."""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import Mapping
from copy import deepcopy
from hashlib import sha256
from typing import Any

from ..forks import renewed_after_fork
from ..jsontext.compact import is_json
from ..jsontext.from_python import to_json
from .gate import Gate

_DEEPEST = 8  # levels of nested lists and dicts whose members are copied one by one

#: A call's conversation, turn and id, and the digest of its tool and its arguments.
Key = tuple[str, str, str, bytes]


class ToolCall:
    """One call of a tool: the fields of its events, the key of its gate, and (after ``read``) a copy of its arguments.

    ``arguments``: the copy that hooks judge. ``whole``: whether all of it is a copy. ``judged``: the digest of the gate's
    value when hooks had judged it. A call without an id has no key.
    """

    __slots__ = (
        "_original",
        "_id",
        "_plain",
        "_sum",
        "arguments",
        "fields",
        "judged",
        "key",
        "session",
        "tool",
        "whole",
    )

    def __init__(
        self, tool: str, arguments: Any, session: str, call_id: str, turn: str, fields: Mapping[str, Any]
    ) -> None:
        self.tool = tool
        self._original = arguments
        self.session = session
        self.fields = {**fields, "tool_name": tool, "tool_call_id": call_id or None, "turn_id": turn or None}
        self._id = (session, turn, call_id)
        self._sum = b""
        self.key: Key | None = None
        if call_id:
            self._sum = digest(tool, arguments)
            self.key = (*self._id, self._sum)
        self.judged = b""

    def read(self) -> None:
        """Copy the arguments for the hooks. A finished call needs no copy: ``after`` uses only its key."""
        self.arguments, self.whole = copied(self._original)
        # A comparison is much faster than a digest, and possible for JSON values only.
        self._plain = self.whole and _is_plain(self._original)
        if not self._plain and not self._sum:
            self._sum = digest(self.tool, self._original)

    def keyed(self, arguments: Any) -> Key | None:
        """Return the key that the call has with these arguments."""
        if self.key is None:
            return None
        return (*self._id, digest(self.tool, arguments))

    def seal(self, gate: Gate) -> None:
        """Store the digest of a gate's value, if ``holds`` may compare it later."""
        is_known = self._plain and self._sum and not gate.rewritten
        may_be_compared = self.key is not None or gate.ask is not None or not self.whole
        if is_known:
            self.judged = self._sum
        elif may_be_compared:
            self.judged = digest(self.tool, gate.value)

    def holds(self, gate: Gate) -> bool:
        """Return whether a gate's value is still the one that hooks judged."""
        return digest(self.tool, gate.value) == self.judged

    def changed(self) -> bool:
        """Return whether the caller's arguments have changed since they were read."""
        if not self._plain:
            return digest(self.tool, self._original) != self._sum
        try:
            return bool(self._original != self.arguments)
        except Exception:  # they now contain values that can't be compared, or another thread writes into them
            return True


class GateStore:
    """Gates of calls by their key, each taken at most once; beyond ``most`` the oldest are dropped.

    Each gate has the digest of its value as hooks judged it. Safe to share between threads.
    """

    __slots__ = ("__weakref__", "_found", "_lock", "_most")

    def __init__(self, most: int) -> None:
        self._found: OrderedDict[Key, tuple[Gate, bytes]] = OrderedDict()
        self._most = most
        self.renew_locks()
        renewed_after_fork(self)

    def renew_locks(self) -> None:
        """See ``forks``."""
        self._lock = threading.Lock()

    def put(self, key: Key | None, gate: Gate, judged: bytes) -> None:
        """Store a gate; without a key do nothing."""
        if key is None:
            return
        with self._lock:
            self._found[key] = gate, judged
            self._found.move_to_end(key)  # a key that was stored before has kept its place
            if len(self._found) > self._most:
                self._found.popitem(last=False)

    def take(self, key: Key | None) -> tuple[Gate, bytes] | None:
        """Remove and return a gate and its digest, or None."""
        if key is None:
            return None
        with self._lock:
            return self._found.pop(key, None)

    def drop_open(self, session: str) -> None:
        """Drop the gates of a conversation that are not denied: a later turn may use the same call ids."""
        with self._lock:
            for key, (gate, _) in list(self._found.items()):
                if key[0] == session and gate.denied is None:
                    del self._found[key]


def json_text(value: Any) -> str:
    """Return a value as text for a model: a string as it is, any other value as JSON."""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, default=str)


def declared_name(tool: Mapping[str, Any]) -> str:
    """Return the name in a tool's declaration for a model: its ``name``, its ``function.name``, or its ``type``."""
    return str(tool.get("name") or tool.get("function", {}).get("name") or tool.get("type"))


def parsed(arguments: Any) -> Any:
    """Return a call's arguments parsed from JSON text; ``{}`` for empty ones. Text that is not JSON stays as it is."""
    if not isinstance(arguments, str):
        return arguments or {}
    try:
        return json.loads(arguments or "{}")
    except ValueError:
        return arguments


def copied(value: Any, depth: int = 0) -> tuple[Any, bool]:
    """Return a deep copy of a call's arguments, and whether all of it is a copy. Never raises.

    A member that can't be copied (a lock, a generator, a connection) stays the caller's own object.
    """
    if isinstance(value, str):
        return value, True
    try:
        return deepcopy(value), True
    except Exception:
        # Only exact types are taken apart: a subclass may behave differently when it is built anew.
        is_container = type(value) in (dict, list)
        if not is_container or depth == _DEEPEST:
            return value, False
    if type(value) is list:
        # A copy in one call: another thread may write into it.
        parts = [copied(item, depth + 1) for item in value.copy()]
        return [part for part, _ in parts], all(whole for _, whole in parts)
    members = {key: copied(item, depth + 1) for key, item in value.copy().items()}
    return {key: part for key, (part, _) in members.items()}, all(whole for _, whole in members.values())


def digest(tool: str, arguments: Any) -> bytes:
    """Return the SHA-256 of a tool's name and of the arguments as hooks see them."""
    text = arguments if isinstance(arguments, str) else to_json(arguments, "tool_input")[0]
    # A model's JSON may contain lone surrogates.
    return sha256(f"{tool}\0{text}".encode("utf-8", "surrogatepass")).digest()


def _is_plain(arguments: Any) -> bool:
    """Return whether arguments consist of JSON values only, so that ``!=`` can compare them."""
    try:
        return isinstance(arguments, str) or is_json(arguments)
    except RuntimeError:  # another thread writes into them
        return False
