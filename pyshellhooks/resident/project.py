"""Where an agent says that its project lies: what the entry of ``serve --install`` counts from."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

from ..hooks.wire import JSON

if TYPE_CHECKING:
    from .answering import Options

#: The variable that each system sets for its hooks (claude_code 4, gemini 2.2, crush 2.2, cursor 4, firebender 4).
VARIABLES: dict[str, str] = {
    "claude_code": "CLAUDE_PROJECT_DIR",
    "crush": "CRUSH_PROJECT_DIR",
    "cursor": "CURSOR_PROJECT_DIR",
    "firebender": "FIREBENDER_PROJECT_DIR",
    "gemini": "GEMINI_PROJECT_DIR",
}


def placed(options: Options, fields: Mapping[str, JSON], env: Mapping[str, str]) -> tuple[Options, Mapping[str, JSON]]:
    """Resolve the files of ``--installed``, and tell the event the project that the agent told us.

    The payload's ``cwd`` does not count for this: a model changes it. The agent's variable it can't change. Raises
    ``ValueError`` for a relative file where the variable is missing.
    """
    if not options.installed:
        return options, fields
    variable = VARIABLES.get(options.dialect.name, "")
    project = env.get(variable, "")
    known = os.path.isabs(project)
    if not known and not all(map(os.path.isabs, options.installed)):
        what = f"{variable} is not set" if variable else f"{options.dialect.title} names no project directory"
        raise ValueError(f"{what}: it is not known where {', '.join(options.installed)} lies")
    configs = (*options.configs, *(os.path.join(project, file) for file in options.installed))
    return options._replace(configs=configs), {**fields, "project_dir": project} if known else fields
