"""The engine: the composition root of the hook half."""

from .config.loading import Configuration, check
from .engine import HookEngine
from .executor import Executor, RecordedExecutor, ShellExecutor
from .explain import Why

__all__ = ["Configuration", "Executor", "HookEngine", "RecordedExecutor", "ShellExecutor", "Why", "check"]
