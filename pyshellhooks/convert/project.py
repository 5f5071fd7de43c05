"""The agents of a project, the files of their hooks, and the text of a file that has other settings already."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

from .. import dialects
from ..engine.config.host_context import read_host_context
from ..errors import PyShellHooksError
from ..hooks.dialect import Dialect
from .target import Target


class FileInUse(PyShellHooksError):
    """A file has hooks already, or can't get any without a loss of its other contents."""


def agents_in(directory: str, env: Mapping[str, str], source: Dialect) -> list[tuple[Dialect, str]]:
    """Return the other systems that a project uses, each with the file for its hooks.

    A system is in use if one of its files exists in the project, or the folder of one.
    """
    place = read_host_context(directory, env)
    agents = []
    for name in dialects.names():
        dialect = dialects.get(name)
        if name == source.name or dialect.config_form is None:
            continue
        suffixes = (".yaml", ".yml") if dialect.config_form.suffix == "yaml" else (f".{dialect.config_form.suffix}",)
        project = [file.path for file in dialect.places(place) if file.scope == "project"]
        paths = [path for path in project if path.endswith(suffixes)]
        in_use = [path for path in project if os.path.exists(path) or _has_own_folder(path, directory)]
        if paths and in_use:
            agents.append((dialect, next((path for path in paths if os.path.exists(path)), paths[0])))
    return agents


def _has_own_folder(path: str, directory: str) -> bool:
    """Return whether a file is in a folder of the project that exists."""
    folder = os.path.dirname(path).replace(os.sep, "/")
    return folder.rstrip("/") != directory.replace(os.sep, "/").rstrip("/") and os.path.isdir(folder)


def with_settings(path: str, target: Target, config: Mapping[str, Any], text: str) -> str:
    """Return the text for a file: that of the config, with the settings that the file has. Raises ``FileInUse``."""
    try:
        with open(path, encoding="utf-8-sig") as file:
            before = file.read()
    except FileNotFoundError:
        return text
    if before in ("", text):
        return text
    problem = "it exists; choose another file with -o, or remove it"
    try:
        settings = json.loads(before)
    except ValueError:
        raise FileInUse(f"{path}: {problem}") from None
    if not isinstance(settings, dict) or target.text({}).strip() != "{}":
        raise FileInUse(f"{path}: {problem}")
    if settings.get("hooks"):
        raise FileInUse(f"{path}: it has hooks already; choose another file with -o, or remove them")
    return target.text({**settings, **config})
