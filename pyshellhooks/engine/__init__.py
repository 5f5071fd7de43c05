"""The engine: the composition root of the hook half."""

from .engine import HookEngine
from .executor import Executor, RecordedExecutor, ShellExecutor
from .explaining import Why
from .loading import Configuration, check

__all__ = ["Configuration", "Executor", "HookEngine", "RecordedExecutor", "ShellExecutor", "Why", "check"]
