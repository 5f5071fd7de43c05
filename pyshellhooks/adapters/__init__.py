"""Adapters for agent SDKs: one module for each SDK, with one class, ``ShellHooks``. None is imported by default."""
