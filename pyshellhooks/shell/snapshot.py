"""Snapshots of a session's whole state, which can be restored later, here or in another process."""

from __future__ import annotations

from base64 import b64decode, b64encode
from typing import TYPE_CHECKING, Any

from ..fs.base import FileSystem, Saved
from ..state.context import OPTION_ATTRIBUTES, ExecutionContext
from ..state.variables import Var
from ..syntax.nodes import Function

if TYPE_CHECKING:
    from ..state.context import FunctionDefinition

_FORMAT = "pyshellhooks-snapshot"
_VERSION = 1

# Attributes of the context that are saved unchanged: plain values.
_TEXTS = ("arg0", "cwd", "last_argument", "name")
_NUMBERS = ("last_background", "status", "umask")
_LISTS = ("args", "directories")
_TABLES = ("aliases", "traps")
_SETS = ("disabled_builtins", "exported_functions", "exports", "readonly_functions", "shopts")


class Snapshot:
    """The immutable state of a session, from ``Session.snapshot()``. ``to_bytes`` and ``from_bytes`` serialize it.

    The bytes contain no Python code: a forged snapshot has the power of a script in the sandbox, which can read the
    mounted directories. Sign the bytes (``hmac``) if their storage is not trusted with that.
    """

    __slots__ = ("files", "functions", "shell", "variables")

    def __init__(
        self,
        shell: dict[str, Any],
        variables: dict[str, str | Var],
        functions: dict[str, FunctionDefinition],
        files: Saved,
    ) -> None:
        self.shell = shell
        self.variables = variables
        self.functions = functions
        self.files = files

    def to_bytes(self) -> bytes:
        """Return the snapshot as bytes: JSON, with files in base64."""
        import json

        from ..syntax.printer import print_function

        functions = {name: print_function(name, one.node.body) for name, one in self.functions.items()}
        document = {
            "format": _FORMAT,
            "version": _VERSION,
            "shell": self.shell,
            "variables": {name: _written(binding) for name, binding in self.variables.items()},
            "functions": functions,
            "files": _packed(self.files),
        }
        return json.dumps(document, separators=(",", ":")).encode()

    @classmethod
    def from_bytes(cls, data: bytes) -> Snapshot:
        """Parse the bytes of ``to_bytes``. Raises ``ValueError`` for any other bytes."""
        import json

        try:
            document = json.loads(data)
            if document.get("format") != _FORMAT or document.get("version") != _VERSION:
                raise ValueError(f"expected {_FORMAT} of version {_VERSION}")
            shell = _checked_state(document["shell"])
            variables = {_text(name): _read(binding) for name, binding in document["variables"].items()}
            functions = _defined(document["functions"])
            return cls(shell, variables, functions, _unpacked(document["files"]))
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise ValueError(f"the snapshot can't be read: {error!s:.200}") from None


def take_snapshot(ctx: ExecutionContext, fs: FileSystem) -> Snapshot:
    """Take a snapshot of a session between two runs."""
    shell: dict[str, Any] = {name: getattr(ctx, name) for name in (*_TEXTS, *_NUMBERS, *OPTION_ATTRIBUTES)}
    shell["last_argument"] = str(ctx.last_argument)  # it may be an ``AssignArgument``
    shell |= {name: list(getattr(ctx, name)) for name in _LISTS}
    shell |= {name: dict(getattr(ctx, name)) for name in _TABLES}
    shell |= {name: sorted(getattr(ctx, name)) for name in _SETS}
    variables: dict[str, str | Var] = {}
    for name, binding in ctx.vars.items():
        variables[name] = binding.copy(None) if isinstance(binding, Var) else binding
    return Snapshot(shell, variables, dict(ctx.functions), fs.save())


def restore_state(snapshot: Snapshot, ctx: ExecutionContext) -> None:
    """Set the state of a snapshot, except the files, in a new context."""
    shell = snapshot.shell
    for name in (*_TEXTS, *_NUMBERS, *OPTION_ATTRIBUTES):
        setattr(ctx, name, shell[name])
    for name in _LISTS:
        setattr(ctx, name, list(shell[name]))
    for name in _TABLES:
        setattr(ctx, name, dict(shell[name]))
    for name in _SETS:
        setattr(ctx, name, frozenset(shell[name]))
    ctx.exports_shared = True  # a frozenset: it is copied before a change
    ctx.debugging = bool(ctx.traps.get("DEBUG"))
    ctx.run.trapped = frozenset(ctx.traps)
    ctx.functions, ctx.functions_shared = dict(snapshot.functions), False
    fresh = ctx.vars
    ctx.vars = {}
    for name, binding in snapshot.variables.items():
        if isinstance(binding, str):
            ctx.vars[name] = binding
            continue
        if not isinstance(binding, _Special):
            ctx.vars[name] = binding.copy(ctx.owner)
            continue
        own = fresh.get(name)
        if isinstance(own, Var):  # of a class that only the shell creates: RANDOM, LINENO
            own = ctx.vars[name] = own.copy(ctx.owner)
            if binding.value is not None:
                own.value = binding.value


class _Special(Var):
    """A placeholder for a variable that the shell creates itself, in a snapshot parsed from bytes."""

    __slots__ = ()


_FLAGS = ("readonly", "integer", "nameref", "traced")


def _written(binding: str | Var) -> Any:
    if not isinstance(binding, Var):
        return binding
    special = type(binding) is not Var
    value: Any = binding.value
    if isinstance(value, dict):
        # A list of pairs, since JSON has no integer keys. The elements of special arrays are computed anew.
        value = [] if special else [[key, text] for key, text in value.items()]
    flags = [name for name in _FLAGS if getattr(binding, name)]
    return {"value": value, "kind": binding.kind, "case": binding.case, "flags": flags, "special": special}


def _read(stored: Any) -> str | Var:
    if isinstance(stored, str):
        return stored
    value, kind = stored["value"], stored["kind"]
    if kind not in ("s", "a", "A") or stored["case"] not in ("", "l", "u", "c"):
        raise ValueError("unknown variable type")
    variable = _Special(None, kind) if stored["special"] else Var(None, kind)
    if isinstance(value, list):
        elements = _elements(kind, value)
        if not isinstance(variable, _Special):
            variable.value = elements
    elif value is not None:
        variable.value = _text(value)
    variable.case = stored["case"]
    for name in stored["flags"]:
        if name not in _FLAGS:
            raise ValueError(f"unknown variable flag {name!r}")
        setattr(variable, name, True)
    return variable


def _elements(kind: str, pairs: list[Any]) -> Any:
    """Return the elements of an array of this kind. Raises ``ValueError`` for other values."""
    kind_of_key = int if kind == "a" else str
    valid = all(isinstance(key, kind_of_key) and isinstance(text, str) for key, text in pairs)
    if not valid or kind == "s":
        raise ValueError("an array has invalid elements")
    return dict(pairs)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f"expected a string, got {value!r:.40}")
    return value


def _checked_state(shell: Any) -> dict[str, Any]:
    """Return the state. Raises ``ValueError`` if a value has the wrong type."""
    kinds: dict[str, type] = {
        **dict.fromkeys(_TEXTS, str),
        **dict.fromkeys(_NUMBERS, int),
        **dict.fromkeys(OPTION_ATTRIBUTES, bool),
        **dict.fromkeys((*_LISTS, *_SETS), list),
        **dict.fromkeys(_TABLES, dict),
    }
    for name, kind in kinds.items():
        value = shell[name]
        members: list[Any] = []
        if isinstance(value, dict):
            members = [*value, *value.values()]
        elif isinstance(value, list):
            members = value
        if not isinstance(value, kind) or not all(isinstance(member, str) for member in members):
            raise ValueError(f"invalid {name}: {value!r:.40}")
    return {name: shell[name] for name in kinds}


def _defined(texts: dict[str, str]) -> dict[str, FunctionDefinition]:
    """Parse and compile the functions. Raises ``ValueError`` for a text that is not the definition of its name."""
    from ..interp.compile import compile_command
    from ..state.context import FunctionDefinition

    functions = {}
    for name, text in texts.items():
        node = _parsed(name, _text(text))
        functions[name] = FunctionDefinition(name, node, compile_command(node.body), "bash", node.line)
    return functions


def _parsed(name: str, text: str) -> Function:
    from ..errors import ShellSyntaxError
    from ..syntax.parser import DEFAULT, Modes, parse
    from ..syntax.source import Source

    for modes in (DEFAULT, Modes(extglob=True)):  # it was parsed in one of these modes
        try:
            items = parse(Source(text, "snapshot"), modes).items
        except ShellSyntaxError:
            continue
        if len(items) != 1:
            continue
        node, background = items[0]
        if isinstance(node, Function) and node.name == name and not background:
            return node
    raise ValueError(f"the text of the function {name!r:.40} is not its definition")


def _packed(saved: Any) -> Any:
    """Return saved files with bytes encoded as ``{"base64": text}``."""
    if isinstance(saved, bytes):
        return {"base64": b64encode(saved).decode()}
    if isinstance(saved, dict):
        return {name: _packed(one) for name, one in saved.items()}
    if isinstance(saved, list):
        return [_packed(one) for one in saved]
    return saved


def _unpacked(packed: Any) -> Any:
    if isinstance(packed, dict):
        if packed.keys() == {"base64"} and isinstance(packed["base64"], str):
            return b64decode(packed["base64"], validate=True)
        return {name: _unpacked(one) for name, one in packed.items()}
    if isinstance(packed, list):
        return [_unpacked(one) for one in packed]
    return packed
