"""Modules: ``import``, ``include``, ``~/.jq`` and ``modulemeta``.

All files are those of the run. The search path is ``search`` of the metadata, else ``.`` and the directories of ``-L``,
by default ``~/.jq``. A relative directory of ``search`` is relative to the importing file; ``.`` is the working
directory, as in jq. ``$ORIGIN``, the directory of jq's executable, has no meaning here, as there is no such file: the
search ignores it, though ``get_search_list`` includes it.
"""

from __future__ import annotations

from errno import ENOENT
from stat import S_ISDIR
from typing import TYPE_CHECKING, Any

from ....command import reason
from ....errors import Stop
from ..arguments import DEFAULT_SEARCH
from ..errors import CompileError, JqError
from ..parser.lexer import Number
from ..parser.syntax import Import, Node, Program, read
from ..running import clean
from .scopes import Definition, Scope

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..running import Run

_DEEPEST = 100  # nested imports
_PIECE = 1 << 16
_TURNS = 4096
_MAIN = "jq: error: jq: error: library should only have function definitions, not a main expression"


class Constant:
    """A variable with a value known at compile time: the contents of a data file."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


class Module:
    """A module's file. ``path`` is the one in ``$__loc__``; ``functions`` are its definitions in their order."""

    __slots__ = ("functions", "number", "path", "text")

    def __init__(self, number: int, path: str, text: str) -> None:
        self.number = number  # in the order of loading
        self.path = path
        self.text = text
        self.functions: list[ModuleFunction] | None = None  # None while it is being loaded


class ModuleFunction(Definition):
    """A function of a module. ``place`` is the module's number and the function's number in it."""

    __slots__ = ("module", "place")

    def __init__(self, name: str, parameters: tuple[str, ...], body: Node, module: Module, number: int) -> None:
        super().__init__(name, parameters, body)
        self.module = module
        self.place = (module.number, number)


class _Missing(Exception):
    """A module is not found, or its name is invalid; the text is jq's."""


class _Unreadable(Exception):
    """A file exists but can't be read; the text is jq's."""


class _Fatal(Exception):
    """An error that ends the loading: jq skips the remaining imports, and does not count the errors so far."""


# -- names and places


def search_list(run: Run) -> list[str]:
    """Return the list of ``get_search_list``: the directories of ``-L``, with links resolved if they exist."""
    if run.search == DEFAULT_SEARCH:
        return list(run.search)
    result = []
    for name in run.search:
        path = _existing(run, name)
        result.append(clean(path if path is not None else name))
    return result


def has_home_module(run: Run) -> bool:
    """Return whether there is a file ``~/.jq``, whose definitions are in every program."""
    try:
        found = _home(run)
        return found is not None and not S_ISDIR(run.call.fs.stat(found).st_mode)
    except (_Missing, OSError):
        return False


def _home(run: Run) -> str | None:
    home = run.call.env.get("HOME")
    if home is None:
        return None
    return _find(run, "", [home], ".jq", run.call.cwd)


def _existing(run: Run, name: str) -> str | None:
    """Return the absolute path of a file with links resolved, None if it does not exist; other errors are raised."""
    fs = run.call.fs
    try:
        path = run.call.path(name)
        fs.stat(path)
    except OSError as error:
        if error.errno == ENOENT:
            return None
        raise
    return fs.realpath(path)


def _check_name(name: str) -> None:
    if "\0" in name:
        raise _Missing("Module path contains a NUL byte")
    if "\\" in name:
        raise _Missing(f"Modules must be named by relative paths using '/', not '\\' ({name})")
    before = None
    for component in name.split("/"):
        if component == "..":
            raise _Missing(f"Relative paths to modules may not traverse to parent directories ({name})")
        if component == before:
            raise _Missing(f"module names must not have equal consecutive components: {name}")
        before = component


def _directories(run: Run, search: Sequence[Any], origin: str | None) -> tuple[list[str], str]:
    """Return the directories of a search path, and the error of one of them or ""."""
    found = []
    problem = ""
    for path in search:
        if type(path) is not str:
            continue
        if path.startswith("~/"):
            home = run.call.env.get("HOME")
            if home is None:
                problem = f" (Could not expand {path}. (Could not find home directory.))"
                continue
            path = f"{home}/{path[2:]}"
        if path.startswith("$ORIGIN/"):
            continue
        is_relative = path != "." and not run.call.fs.is_absolute(path)
        if is_relative and origin is not None:
            path = f"{origin}/{path}"
        if path:
            found.append(path)
    return found, problem


def _find(run: Run, name: str, search: Sequence[Any], suffix: str, origin: str | None) -> str:
    """Return the path of a module's file. ``origin`` is the directory of the file that imports it."""
    _check_name(name)
    directories, problem = _directories(run, search, origin)
    for directory in directories:
        run.check()
        last = name.rpartition("/")[2]
        for place in (f"{name}{suffix}", f"{name}/jq/main{suffix}", f"{name}/{last}{suffix}"):
            try:
                found = _existing(run, f"{directory}/{place}")
            except OSError:
                break
            if found is not None:
                return found
    raise _Missing(f"module not found: {name}{problem}")


def _read_file(run: Run, path: str) -> bytes:
    from ..inputs import read_file

    try:
        if S_ISDIR(run.call.fs.stat(path).st_mode):
            raise _Unreadable(f"Could not open {path}: It's a directory")
        return read_file(run.call, path)
    except OSError as error:
        raise _Unreadable(f"Could not open {path}: {reason(error)}") from None


def _read_text(run: Run, path: str) -> str:
    """Read a file and decode it in pieces, which end with an ASCII character if possible."""
    from ..json.utf8 import decode

    data = _read_file(run, path)
    found = []
    at = 0
    while at < len(data):
        run.check()
        stop = at + _PIECE
        while at + _PIECE // 2 < stop < len(data) and data[stop - 1] > 127:
            stop -= 1
        found.append(decode(data[at:stop]))
        at = stop
    return "".join(found)


# -- linking


class _Linker:
    """Loader of the modules of one program, each once."""

    __slots__ = ("base", "depth", "messages", "modules", "run")

    def __init__(self, run: Run, base: Scope) -> None:
        self.run = run
        self.base = base
        self.modules: dict[str, Module] = {}
        self.messages: list[str] = []
        self.depth = 0

    def imports(self, imports: Sequence[Import], origin: str) -> tuple[int, Scope]:
        """Load the imported modules; return the number of errors, and the scope of the importing file.

        jq loads the last one first. Of equal names the last import's is visible.
        """
        errors = 0
        found: list[dict[str, Any]] = []
        for imported in reversed(imports):
            self.run.check()
            try:
                count, entries = self._import(imported, origin)
            except _Missing as error:
                if imported.meta.get("optional") is True:
                    continue
                raise self._fatal(f"jq: error: {error}\n") from None
            errors += count
            found.append(entries)
        scope = self.base
        for entries in reversed(found):
            for key, entry in entries.items():
                scope = scope.with_entry(key, entry)
        return errors, scope

    def _fatal(self, message: str) -> _Fatal:
        self.messages.append(message)
        return _Fatal()

    def _import(self, imported: Import, origin: str) -> tuple[int, dict[str, Any]]:
        meta = imported.meta
        if "search" in meta:
            search = meta["search"]
        else:
            search = [".", *search_list(self.run)]
        if type(search) is not list:
            search = [search]
        path = _find(self.run, imported.path, search, ".json" if imported.is_data else ".jq", origin)
        optional = meta.get("optional") is True
        if imported.is_data:
            assert imported.name is not None
            return self._data(path, imported.name, meta.get("raw") is True, optional)
        module = self.modules.get(path)
        errors = 0
        if module is None:
            try:
                text = _read_text(self.run, path)
            except _Unreadable as error:
                return self._unreadable(path, str(error), optional), {}
            module = Module(len(self.modules), clean(path), text)
            errors = self._module(module, path)
        elif module.functions is None:
            raise self._fatal(f"jq: error: circular import of {path}\n")
        # The metadata of an include may set a prefix.
        name = meta.get("as") if imported.name is None else imported.name
        prefix = f"{name}::" if type(name) is str and name else ""
        return errors, {f"{prefix}{function.key}": function for function in module.functions or ()}

    def _unreadable(self, path: str, message: str, optional: bool) -> int:
        if optional:
            return 0
        self.messages.append(f"jq: error loading data file {path}: {message}\n")
        return 1

    def _data(self, path: str, name: str, raw: bool, optional: bool) -> tuple[int, dict[str, Any]]:
        from ..json.reader import ParseError, read_values

        try:
            value: Any = _read_text(self.run, path) if raw else read_values(self.run, _read_file(self.run, path))
        except (_Unreadable, ParseError) as error:
            return self._unreadable(path, str(error), optional), {}
        entry = Constant(value)
        return 0, {f"${name}": entry, f"${name}::{name}": entry}

    def _module(self, module: Module, path: str) -> int:
        """Load a module; return the number of errors."""
        program = _parse(self.run, module.text, module.path, self.messages)
        if type(program) is int:
            return program
        assert isinstance(program, Program)
        self.modules[path] = module
        if self.depth >= _DEEPEST:
            raise Stop("limit", f"jq: modules import one another deeper than {_DEEPEST}", "parser_depth")
        self.depth += 1
        try:
            errors, scope = self.imports(program.imports, path.rpartition("/")[0])
        except _Fatal:
            errors, scope = 1, self.base
        self.depth -= 1
        module.functions = _functions(self.run, module, program, scope, scope is not self.base)
        return errors


def _functions(run: Run, module: Module, program: Program, scope: Scope, has_imports: bool) -> list[ModuleFunction]:
    """Define a module's functions. Imported functions hide the module's own ones, except from themselves."""
    functions: list[ModuleFunction] = []
    imports = scope
    for node in program.definitions:
        name, parameters = _signature(node)
        body = node.parts[0]
        assert body is not None
        run.check()
        _locate(run, body, module.path)
        function = ModuleFunction(name, parameters, body, module, len(functions))
        function.scope = scope.with_entry(function.key, function)
        if not has_imports or imports.find(function.key) is None:
            scope = function.scope
        functions.append(function)
    return functions


def _signature(node: Node) -> tuple[str, tuple[str, ...]]:
    assert isinstance(node.value, tuple)
    return node.value


def _locate(run: Run, body: Node, path: str) -> None:
    """Replace each ``$__loc__`` by an object with the file and the line."""
    for turns, node in enumerate(body.walk(), 1):
        if not turns % _TURNS:
            run.check()
        if node.kind == "location":
            line = Node("literal", (), Number(node.value))
            file = Node("literal", (), path)
            node.kind = "object"
            node.parts = (Node("literal", (), "file"), file, Node("literal", (), "line"), line)


def _parse(run: Run, text: str, path: str, messages: list[str]) -> Program | int:
    """Parse a module; return its program, or the number of its errors."""
    from ..parser.syntax_errors import Mistaken

    try:
        program = read(text, path, run)
    except Mistaken as error:
        messages.extend(error.messages)
        return len(error.messages)
    if program.body is None:
        return program
    messages.append(_MAIN)
    return 1


def link(run: Run, program: Program, scope: Scope, origin: str | None = None) -> Scope:
    """Return the scope of a main program: its imports, and the definitions of ``~/.jq``.

    Without any it is ``scope`` itself. ``origin`` is the directory of the program's file, by default the working
    directory. Raise ``CompileError`` if a module is missing or has errors.
    """
    imports = program.imports
    home = run.call.env.get("HOME")
    if home is not None:
        imports = (Import("", None, False, {"optional": True, "search": home}), *imports)
    linker = _Linker(run, scope)
    try:
        errors, scope = linker.imports(imports, run.call.cwd if origin is None else origin)
    except _Fatal:
        errors = 1
    if errors:
        count = f"jq: {errors} compile {'errors' if errors > 1 else 'error'}"
        raise CompileError("\n".join([*linker.messages, count]))
    return scope


def module_meta(run: Run, name: str) -> dict[str, Any] | None:
    """Return the metadata of a module, its imports and the names of its functions; None if it can't be read."""
    run.check()
    try:
        path = _find(run, name, search_list(run), ".jq", None)
    except _Missing as error:
        raise JqError(str(error)) from None
    messages: list[str] = []
    try:
        program = _parse(run, _read_text(run, path), clean(path), messages)
    except _Unreadable:
        return None
    if not isinstance(program, Program):
        run.write_stderr("".join(f"{message}\n" for message in messages))
        return None
    dependencies = []
    for imported in program.imports:
        own: dict[str, Any] = {} if imported.name is None else {"as": imported.name}
        dependencies.append({**imported.meta, **own, "is_data": imported.is_data, "relpath": imported.path})
    names = {f"{name}/{len(parameters)}": None for name, parameters in map(_signature, program.definitions)}
    return {**(program.meta or {}), "deps": dependencies, "defs": list(names)}
