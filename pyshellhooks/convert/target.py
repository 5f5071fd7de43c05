"""Writing for the other system, whose own loader reads each part again: it must mean the same."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from copy import deepcopy
from typing import Any

from ..hooks.config_form import Config, ConfigForm, Hook
from ..hooks.dialect import Dialect, EventSpec, Loaded
from ..hooks.model import HookSpec, Origin


class Target:
    """The system that the config is written for."""

    def __init__(self, dialect: Dialect, form: ConfigForm, file: str = "") -> None:
        self.dialect = dialect
        self.form = form
        self.file = file or _usual_file(dialect, form)

    def load(self, config: Config) -> Loaded:
        """Load a config as the system does."""
        return self.dialect.load(self.text(config), Origin(self.file))

    def try_hook(self, row: EventSpec, hook: Hook) -> HookSpec | None:
        """Return the hook as the system loads it; None if it does not load it as it is."""
        loaded = self.load(self.form.shape(row.native, [deepcopy(hook)]))
        specs = self.dialect.combine([loaded]).specs
        if loaded.errors or loaded.refused or loaded.lost or len(specs) != 1:
            return None
        return specs[0]

    def config(self, hooks: Iterable[tuple[str, Hook]]) -> Config:
        """Return one config with all hooks, in order, and those of one group together."""
        whole: Config = {}
        for event, hook in hooks:
            _merge(whole, self.form.shape(event, [deepcopy(hook)]))
        _join_groups(whole)
        _number_entries(whole)
        return whole

    def text(self, config: Config) -> str:
        """Return a config as the text of a file."""
        suffix = self.form.suffix
        if self.file.endswith((".json", ".toml", ".yaml", ".yml")):
            suffix = self.file.rpartition(".")[2]
        if suffix in ("yaml", "yml"):
            import yaml

            return yaml.safe_dump(config, sort_keys=False, allow_unicode=True, width=10_000)
        if suffix == "toml":
            from .toml_text import toml_text

            return toml_text(config)
        return json.dumps(config, indent=2, ensure_ascii=False) + "\n"


def _usual_file(dialect: Dialect, form: ConfigForm) -> str:
    """Return the name of a file of the system that has the suffix of its form."""
    suffixes = (".yaml", ".yml") if form.suffix == "yaml" else (f".{form.suffix}",)
    named = [name for name in dialect.file_names if name.endswith(suffixes)]
    return named[0] if named else f"hooks{suffixes[0]}"


def _merge(whole: Config, part: Config) -> None:
    """Add the members of a config to another one: objects are merged, and lists are appended."""
    for key, value in part.items():
        there = whole.get(key)
        if isinstance(there, dict) and isinstance(value, dict):
            _merge(there, value)
        elif isinstance(there, list) and isinstance(value, list):
            there += value
        else:
            whole[key] = value


def _join_groups(value: Any) -> None:
    """Put the hooks of adjacent groups that differ in nothing else into one group."""
    if isinstance(value, dict):
        for inner in value.values():
            _join_groups(inner)
    elif isinstance(value, list):
        value[:] = _joined(value)


def _joined(items: Sequence[Any]) -> list[Any]:
    result: list[Any] = []
    for item in items:
        last: Any = result[-1] if result else None
        if _is_group(item) and _is_group(last) and _without_hooks(item) == _without_hooks(last):
            last["hooks"] += item["hooks"]
        else:
            result.append(item)
    return result


def _number_entries(config: Config) -> None:
    """Give entries of a list different names, where a shape has numbered those of each event."""
    hooks = config.get("hooks")
    for number, hook in enumerate(hooks if isinstance(hooks, list) else ()):
        if str(hook.get("name", "")).startswith("hook-"):
            hook["name"] = f"hook-{number}"


def _is_group(item: Any) -> bool:
    return isinstance(item, dict) and isinstance(item.get("hooks"), list)


def _without_hooks(group: Hook) -> Hook:
    return {key: value for key, value in group.items() if key != "hooks"}
