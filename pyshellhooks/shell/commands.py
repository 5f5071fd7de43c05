"""Commands that a host adds to its shell: checks of their names, and conversion of their functions' results."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable
from copy import copy
from inspect import iscoroutine
from typing import Any

from ..builtins._index import INDEX as BUILTINS
from ..command.call import Call
from ..command.utility import Utility
from ..errors import Stop
from ..text import encode


def own_commands(utilities: Iterable[Utility]) -> list[Utility]:
    """Return copies of a host's utilities whose functions return a status. Raises ``TypeError`` or ``ValueError``."""
    commands = []
    for utility in utilities:
        if not isinstance(utility, Utility):
            raise TypeError(f"a utility must come from @utility(NAME, summary=...), got {utility!r:.60}")
        if utility.name in BUILTINS:
            raise ValueError(f"{utility.name} is a builtin of the shell; choose another name")
        if not _is_plain(utility.name):
            raise ValueError(f"{utility.name!r} can't be called in a script without quotes; choose another name")
        command = copy(utility)  # the host's own object stays as it is
        command.run = _returning_status(utility.name, utility.run)
        commands.append(command)
    return commands


_QUOTED = "'\"\\$`<>|&;(){}*?[]~#!"


def _is_plain(name: str) -> bool:
    """Return whether a script can call a command by its bare name; a slash would make the name a path."""
    if not name or "/" in name:
        return False
    return not any(character.isspace() or character in _QUOTED for character in name)


def _returning_status(name: str, run: Callable[[Call], Any]) -> Callable[[Call], int]:
    def answered(call: Call) -> int:
        answer = run(call)
        if iscoroutine(answer):
            answer = _awaited(call, answer)
        if isinstance(answer, str):
            answer = encode(answer)
        if isinstance(answer, bytes):
            call.out.write(answer)
            return 0
        if answer is None:
            return 0
        # A bool could be meant as "ok", which is the status 0 and not 1.
        if not isinstance(answer, int) or isinstance(answer, bool):
            raise TypeError(f"the command {name} returned {answer!r:.40} (expected a status, an output or None)")
        return answer

    return answered


def _awaited(call: Call, answer: Coroutine[Any, Any, Any]) -> Any:
    """Run a command's coroutine in an event loop of its own and return its result. The end of the run cancels it."""
    import asyncio

    async def work() -> Any:
        loop, task = asyncio.get_running_loop(), asyncio.ensure_future(answer)

        def cancel() -> None:
            loop.call_soon_threadsafe(task.cancel)  # the scope is cancelled on another thread

        with call.scope.on_cancel(cancel):
            return await task

    call.about_to_block()
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        pass
    else:
        answer.close()  # otherwise Python warns that it was never awaited
        raise RuntimeError(
            f"{call.name} is a coroutine, and this thread already runs an event loop; use arun instead of run"
        )
    try:
        return asyncio.run(work())
    except asyncio.CancelledError:
        call.check()
        raise Stop("cancelled", f"{call.name} cancelled itself") from None
