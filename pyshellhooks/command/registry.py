"""The registry of utilities, which imports each at its first call."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from .utility import Utility


class Registry:
    """The utilities of a shell: a generated index of modules, and the host's own utilities.

    ``index`` maps a name to ``module:attribute``. The module is imported at the first call, so that a hook loads only
    the modules it uses.
    """

    __slots__ = ("_index", "_loaded")

    def __init__(self, index: Mapping[str, str], extra: Iterable[Utility] = ()) -> None:
        self._index = dict(index)
        self._loaded: dict[str, Utility] = {}
        for command in extra:
            self._index[command.name] = ""
            self._loaded[command.name] = command

    def get(self, name: str) -> Utility | None:
        """Return the utility of a name, or None."""
        command = self._loaded.get(name)
        if command is None and name in self._index:
            module, _, attribute = self._index[name].partition(":")
            from importlib import import_module

            command = getattr(import_module(module), attribute)
            assert isinstance(command, Utility)
            self._loaded[name] = command
        return command

    def names(self) -> Iterable[str]:
        """Return all names."""
        return self._index

    def __contains__(self, name: object) -> bool:
        return name in self._index

    def with_extra(self, extra: Iterable[Utility]) -> Registry:
        """Return a registry with a host's own utilities, which take precedence."""
        return Registry(self._index, [*(c for n, c in self._loaded.items() if not self._index[n]), *extra])
