"""Executors that run hooks in a real shell, to compare the embedded one with."""

from __future__ import annotations

import subprocess

from pyshellhooks.cancel import CancelScope
from pyshellhooks.hooks.model import HookJob, HookRun


class BashExecutor:
    """Runs hooks in the machine's bash."""

    def __init__(self, bash: str) -> None:
        self.bash = bash

    def run(self, job: HookJob, scope: CancelScope) -> HookRun:
        """Run the command with ``bash -c``."""
        process = subprocess.Popen(
            [self.bash, "-c", job.command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=dict(job.env),
            cwd=job.cwd,
        )
        try:
            out, err = process.communicate(job.stdin, timeout=scope.remaining())
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return HookRun("stopped", None, reason="deadline")
        return HookRun("exited", process.returncode, out, err)
