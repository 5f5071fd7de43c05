"""The stable form of model requests and responses, which hooks read and write (gemini 2.1, 2.3, 5)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ...jsontext.compact import JSON, JsonText, TooDeep, compact, dumps, loads

_ROLES = {"user": "user", "model": "model", "system": "system", "assistant": "model"}
MODES = ("AUTO", "ANY", "NONE")


def stable_request(value: JSON, quirks: frozenset[str]) -> JsonText:
    """Return a request, which may be JSON text, as JSON text in the stable form; keep a value that is not an object.

    Parts of messages that are not text are removed, and so are messages without text. If nothing has to change, the
    JSON text keeps its spelling.
    """
    text = value if isinstance(value, JsonText) else JsonText(dumps(value))
    try:
        request = loads(text)
    except TooDeep:
        return JsonText(compact(text))  # valid JSON, but nested too deeply to be parsed
    if not isinstance(request, dict):
        return JsonText(compact(text))
    stable = dict(request)
    messages = request.get("messages")
    if isinstance(messages, list):
        stable["messages"] = [message for message in map(_message, messages) if message is not None]
    if "tool_config_never_sent" in quirks:
        stable.pop("toolConfig", None)
    return JsonText(compact(text) if stable == request else dumps(stable))


def _message(value: JSON) -> JSON:
    if isinstance(value, str):
        return {"role": "user", "content": value}
    if not isinstance(value, dict):
        return None
    content = value.get("content", value.get("parts"))
    if isinstance(content, list):
        content = "".join(filter(None, map(_text, content)))
        if not content:
            return None
    if not isinstance(content, str):
        return None
    role = _ROLES.get(str(value.get("role")), "user")
    if value.get("role") == role and value.get("content") == content:
        return value
    return {"role": role, "content": content}


def _text(part: JSON) -> str:
    if isinstance(part, dict):
        part = part.get("text")
    return part if isinstance(part, str) else ""


def has_parts(response: Mapping[str, JSON]) -> bool:
    """Return whether the first candidate of a response has parts."""
    candidates = response.get("candidates")
    first = candidates[0] if isinstance(candidates, list) and candidates else None
    content = first.get("content") if isinstance(first, dict) else None
    return bool(isinstance(content, dict) and content.get("parts"))


def tool_config(value: JSON) -> tuple[dict[str, JSON] | None, str]:
    """Read one hook's ``toolConfig``; return its valid part, or None, and a description of its errors, or ``""``."""
    if not isinstance(value, dict):
        return None, "toolConfig is not an object"
    config: dict[str, JSON] = {}
    problems = []
    mode = value.get("mode")
    if mode in MODES:
        config["mode"] = mode
    elif mode is not None:
        problems.append(f"unknown toolConfig.mode {dumps(mode)[:40]} (expected one of: {', '.join(MODES)})")
    names = value.get("allowedFunctionNames")
    if isinstance(names, list) and all(isinstance(name, str) for name in names):
        config["allowedFunctionNames"] = names
    elif names is not None:
        problems.append("toolConfig.allowedFunctionNames is not an array of strings")
    return config, "; ".join(problems)


def union(configs: Iterable[Mapping[str, JSON]]) -> dict[str, JSON]:
    """Join the selections of several hooks: NONE wins, then ANY; the lists are combined (gemini 5)."""
    modes = set()
    names: set[str] = set()
    for config in configs:
        modes.add(config.get("mode", "AUTO"))
        names.update(config.get("allowedFunctionNames", ()))
    if "NONE" in modes:
        return {"mode": "NONE", "allowedFunctionNames": []}
    # Sorted by UTF-16 code units, as JavaScript sorts.
    listed = sorted(names, key=lambda name: name.encode("utf-16-be", "surrogatepass"))
    return {"mode": "ANY" if "ANY" in modes else "AUTO", "allowedFunctionNames": listed}
