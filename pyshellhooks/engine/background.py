"""Firings in the background: a handle now, the verdict later."""

from __future__ import annotations

import threading
from collections.abc import Callable

from ..cancel import CancelScope
from ..hooks.verdict import Verdict
from ..host.threads import submit


class Firing:
    """A firing in the background. ``engine.close()`` waits for it."""

    __slots__ = ("_done", "_error", "_verdict", "scope")

    def __init__(self, work: Callable[[CancelScope], Verdict], parent: CancelScope | None, grace: float) -> None:
        self.scope = CancelScope(grace=grace, parent=parent)
        self._done = threading.Event()
        self._verdict: Verdict | None = None
        self._error: BaseException | None = None

        def task() -> None:
            try:
                self._verdict = work(self.scope)
            except BaseException as error:
                self._error = error
            finally:
                self.scope.close()
                self._done.set()

        submit(task)

    @property
    def done(self) -> bool:
        """Whether the firing has ended, with a verdict or an error."""
        return self._done.is_set()

    def cancel(self) -> None:
        """Cancel the hooks; the verdict is available after their grace."""
        self.scope.cancel("cancelled")

    def wait(self, timeout: float | None = None) -> bool:
        """Wait for the end, at most ``timeout`` seconds; return whether it was reached."""
        return self._done.wait(timeout)

    def result(self, timeout: float | None = None) -> Verdict:
        """Return the verdict. Raises TimeoutError after ``timeout`` seconds, or the exception of the firing."""
        if not self._done.wait(timeout):
            raise TimeoutError("the hooks are still running")
        if self._error is not None:
            raise self._error
        assert self._verdict is not None
        return self._verdict

    def __repr__(self) -> str:
        return f"Firing({'done' if self.done else 'runs'})"
