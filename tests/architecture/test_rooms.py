"""A room imports only rooms above it, and only ``host`` knows the operating system (docs/architecture.md)."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from rooms import (
    ENGINE,
    FROM_ENGINE,
    NEVER,
    ORDER,
    PACKAGE,
    ROOT,
    imports,
    room,
    room_imports,
    room_in_engine,
    sources,
    tree,
)

pytestmark = pytest.mark.not_on_windows("same-everywhere")

PUBLIC = {"__init__", "__main__"}
OS_MODULES = {"subprocess", "signal", "ctypes", "msvcrt", "winreg", "_winapi", "fcntl", "resource", "pty", "termios"}


def where(path: Path, line: int) -> str:
    return f"{path.relative_to(ROOT)}:{line}"


def test_every_room_is_in_the_plan() -> None:
    found = {room(path) for path in sources()} - PUBLIC
    assert found <= set(ORDER) | {"_conformance"}, "a new room needs a place in ORDER and in docs/architecture.md"


def test_rooms_import_only_rooms_above() -> None:
    wrong = []
    for path in sources():
        own = room(path)
        if own in PUBLIC:
            continue
        above = set(ORDER[: ORDER.index(own)]) - NEVER.get(own, set())
        wrong += [f"{where(path, line)}: {own} imports {to}" for to, line in room_imports(path) if to not in above]
    assert not wrong, "\n".join(wrong)


def test_rooms_of_the_engine_import_only_rooms_above() -> None:
    wrong = []
    for path in sources():
        own = room_in_engine(".".join(("pyshellhooks", *path.relative_to(PACKAGE).with_suffix("").parts)))
        if own is None:
            continue
        for module, line in imports(path):
            to = room_in_engine(module)
            is_lazy = path.name == "engine.py" and module.startswith(tuple(FROM_ENGINE))
            if to is not None and ENGINE.index(to) > ENGINE.index(own) and not is_lazy:
                wrong.append(f"{where(path, line)}: {own or 'engine'} imports {module}")
    assert not wrong, "\n".join(wrong)


def test_typed_models_import_no_shell() -> None:
    """A hook in Python starts for every call: it needs the dialects, and never the engine."""
    code = (
        "import sys; from pyshellhooks.types.claude_code import PreToolUse\n"
        "print(*[name for name in sys.modules if name.startswith('pyshellhooks.')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name.split(".")[1] for name in done.stdout.split()}
    assert "dialects" in loaded and not loaded & {"engine", "shell", "interp", "utilities", "cli"}


def test_syntax_is_pure() -> None:
    allowed = {"__future__", "collections", "typing", "bisect", "sys", "functools", "unicodedata", "re"}
    wrong = [
        f"{where(path, line)}: {module}"
        for path in sources()
        if room(path) == "syntax"
        for module, line in imports(path)
        if module.split(".")[0] not in allowed | {"pyshellhooks"}
    ]
    assert not wrong, "\n".join(wrong)


def test_only_host_and_workers_import_the_operating_system() -> None:
    wrong = [
        f"{where(path, line)}: {module}"
        for path in sources()
        if room(path) not in ("host", "workers")
        for module, line in imports(path)
        if module.split(".")[0] in OS_MODULES
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("name", ["asyncio", "pydantic", "dataclasses"])
def test_the_shell_half_never_imports(name: str) -> None:
    """Start-up is a budget; ``arun`` and ``afire`` import asyncio inside the call (rule 18)."""
    shell_half = set(ORDER[: ORDER.index("shell")]) - ({"aio"} if name == "asyncio" else set())
    wrong = [
        where(path, line)
        for path in sources()
        if room(path) in shell_half
        for module, line in imports(path)
        if module.split(".")[0] == name
    ]
    assert not wrong, "\n".join(wrong)


#: What an adapter may import besides its SDK and the standard library.
SDKS = {
    "agent_framework": {"agent_framework"},
    "google_adk": {"google"},
    "claude_agent_sdk": {"claude_agent_sdk"},
    "langchain": {"langchain", "langchain_core", "langgraph"},
    "openai_agents": {"agents"},
    "pydantic_ai": {"pydantic_ai", "pydantic_graph"},
    "strands_agents": {"strands"},
}


#: What an adapter needs besides ``agent``: an SDK that speaks a system's own words is answered in them.
BESIDE = {
    "claude_agent_sdk": {"pyshellhooks.Verdict", "pyshellhooks.dialects", "pyshellhooks.hooks.fields.NEUTRAL"},
}


def test_adapters_import_their_sdk_and_the_agent_only() -> None:
    """``pyshellhooks.agent`` is all that an adapter for a framework needs, ours or anybody's."""
    found = {path.stem: path for path in sources() if room(path) == "adapters"}
    assert found.keys() == SDKS.keys() | {"__init__"}
    assert not imports(found.pop("__init__"))
    wrong = [
        f"{where(path, line)}: {module}"
        for name, path in found.items()
        for module, line in imports(path)
        if not module.startswith("pyshellhooks.agent.")
        and module not in BESIDE.get(name, ())
        and module.split(".")[0] not in SDKS[name] | sys.stdlib_module_names
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("name", sorted(SDKS))
def test_adapters_name_the_package_to_install(name: str) -> None:
    """Where the SDK is not installed; an SDK that is too old says the same."""
    extra = name.replace("_", "-")
    code = (
        "import sys; sys.modules.update(dict.fromkeys(sys.argv[2:]))\n"  # a module that is None can't be imported
        "try: __import__('pyshellhooks.adapters.' + sys.argv[1])\n"
        "except ImportError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code, name, *SDKS[name]], capture_output=True, text=True, check=False)
    assert f"pip install 'pyshellhooks[{extra}]'" in done.stdout, done.stderr


def test_importing_has_no_effect() -> None:
    """Nothing at module level is called for its effect, but registering what a fork or the exit must drop."""
    wrong = []
    for path in sources():
        for node in tree(path).body:
            if path.name != "__main__.py" and isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
                if not ast.unparse(node.value.func).startswith(("os.register_at_fork", "atexit.register")):
                    wrong.append(where(path, node.lineno))
    assert not wrong, "\n".join(wrong)


def test_the_package_is_typed() -> None:
    assert (PACKAGE / "py.typed").is_file()


#: What the files of a hook system are called, and what each has: one name for one thing.
DIALECT_FILES = {
    "__init__": "the dialect",
    "tables": "events, fields, names of tools, editions, quirks",
    "config": "config file to specs",
    "payload": "event to a hook's stdin and environment",
    "parse_output": "a hook's output to an outcome",
    "merging": "outcomes to a verdict",
    "render": "a verdict to the output of a hook of the system",
    "schema": "the models of the config and of answers",
    "shipped": "the quirks of the program",
}
#: What only one system has.
OWN_FILES = {
    "claude_code": {
        "env_file", "events", "handler", "matcher", "manifest", "parse_model", "permission_commands", "permissions", "plugins", "rules", "subcommands",
    },
    "codex": {"reviews"},
    "docker_agent": {"current", "current_output", "current_schema", "current_tables"},
    "everruns": {"layers", "matching", "spec"},
    "flat_events": {"dialect", "places", "rows", "vendor"},
    "gemini": {"extensions", "redaction", "stable_model"},
    "grouped_events": {
        "blocks", "dialect", "exit_statuses", "few_keys", "form", "lenient", "matcher", "parse_json", "relative", "rows",
        "run_reader",
    },
    "qwen": {"matcher"},
}  # fmt: skip


def test_a_system_names_its_files_as_the_others_do() -> None:
    wrong = []
    for package in sorted(path for path in (PACKAGE / "dialects").iterdir() if (path / "__init__.py").exists()):
        found = {path.stem for path in package.glob("*.py")}
        own = OWN_FILES.get(package.name, set())
        wrong += [f"{package.name}/{name}.py" for name in sorted(found - set(DIALECT_FILES) - own)]
        wrong += [f"{package.name}/{name}.py is gone" for name in sorted(own - found)]
    assert not wrong, wrong
