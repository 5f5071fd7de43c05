"""The project directory that an agent sets in a variable, to which the entry of ``serve --install`` is relative."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

from ..jsontext.compact import JSON

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
#: Systems that name no project to their hooks: their entries have absolute paths (codex 7.3).
UNNAMED = frozenset({"codex"})


def with_project_variable(
    options: Options, fields: Mapping[str, JSON], env: Mapping[str, str]
) -> tuple[Options, Mapping[str, JSON]]:
    """Resolve the files of ``--installed``, and add the project directory to the event's fields.

    It is that of ``--project``, else the agent's. The payload's ``cwd`` is not used, since a model can change it; it
    can't change the agent's variable. Raises ``ValueError`` for a relative file if the variable is missing.
    """
    variable = VARIABLES.get(options.dialect.name, "")
    project = env.get(variable, "")
    if not os.path.isabs(project):
        project = ""
    if not options.installed:
        if os.path.isabs(options.project):
            project = options.project
        return options, _with_project(fields, project)
    if not project and not all(map(os.path.isabs, options.installed)):
        problem = f"{variable} is not set" if variable else f"{options.dialect.title} names no project directory"
        raise ValueError(f"{problem}, so the directory of {', '.join(options.installed)} is unknown")
    installed = [os.path.join(project, file) for file in options.installed]
    return options._replace(configs=(*options.configs, *installed)), _with_project(fields, project)


def _with_project(fields: Mapping[str, JSON], project: str) -> Mapping[str, JSON]:
    if not project:
        return fields
    return {**fields, "project_dir": project}
