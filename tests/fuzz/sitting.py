"""One target fuzzed for a while in a process of its own, and what libFuzzer says of it."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from pyshellhooks.text import encode

from .findings import Findings
from .target import LARGEST, Target, inputs, words

MEMORY = 3072  # MiB, at which libFuzzer ends a target
HANG = 600  # seconds by the clock that one input may take at most: the machine may be busy; ``late`` counts CPU seconds
_LINE = re.compile(r"^#(\d+)\s+(\w+)\s+cov: (\d+) ft: (\d+) corp: (\d+)/(\S+)")


class Sitting:
    """A target and its time. ``curve`` holds (CPU seconds, executions, counters, features, inputs kept)."""

    def __init__(self, target: Target, corpus: Path, seconds: int, seed: int) -> None:
        self.target = target
        self.corpus = corpus / "corpus" / target.name
        self.findings = corpus / "findings" / target.name
        self.seconds = seconds
        self.seed = seed
        self.curve: list[tuple[float, int, int, int, int]] = []
        self.seeded = (0, 0)  # counters and features of the corpus that it began with
        self.found: list[str] = []
        self.executions = 0
        self.cpu = 0.0
        self.status = 0
        self.began = 0.0

    def prepare(self) -> Sitting:
        """Put aside the findings that are mended, and give the corpus the seeds; gives itself."""
        self.findings.mkdir(parents=True, exist_ok=True)
        Findings(self.findings, self.target).stand()
        self.corpus.mkdir(parents=True, exist_ok=True)
        for seed in inputs(self.target):
            data = self.target.joined(seed)
            (self.corpus / hashlib.sha1(data, usedforsecurity=False).hexdigest()).write_bytes(data)
        return self

    def run(self) -> Sitting:
        """Fuzz; gives itself."""
        self.began = time.time()
        dictionary = self.corpus.with_suffix(".dict")
        dictionary.write_text("".join(f"{_quoted(word)}\n" for word in words(self.target) if word), encoding="ascii")
        command = [
            sys.executable, "-m", "tests.fuzz.under_atheris", self.target.name, str(self.findings), f"-max_total_time={self.seconds}",
            f"-max_len={LARGEST}", f"-seed={self.seed}", f"-rss_limit_mb={MEMORY}", f"-timeout={HANG}", f"-report_slow_units={HANG}", f"-dict={dictionary}",
            f"-artifact_prefix={self.findings}/", "-print_final_stats=1", "-len_control=0", str(self.corpus),
        ]  # fmt: skip
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        assert process.stderr is not None
        log = self.corpus.with_suffix(".log")
        with log.open("wb") as file:
            for line in process.stderr:
                file.write(line)
                file.flush()
                self._read(line.decode("utf-8", "replace"), process.pid)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = self.status = os.waitstatus_to_exitcode(status)
        self.cpu = usage.ru_utime + usage.ru_stime
        if self.status:
            self.found.append(f"libFuzzer ended with {self.status}: {log}")
        return self

    def _read(self, line: str, pid: int) -> None:
        if line.startswith("FINDING "):
            self.found.append(line[8:].strip())
        elif match := _LINE.match(line):
            point = (_cpu_of(pid), int(match[1]), int(match[3]), int(match[4]), int(match[5]))
            self.executions = point[1]
            if match[2] == "INITED":
                self.seeded = point[2:4]
            # Each input that reaches something new has a line: one a second is enough of them.
            if not self.curve or match[2] in ("INITED", "DONE") or point[0] >= self.curve[-1][0] + 1:
                self.curve.append(point)

    def row(self) -> dict[str, Any]:
        """Return the line of the log."""
        return {
            "target": self.target.name, "began": round(self.began), "seconds": round(time.time() - self.began, 1), "cpu": round(self.cpu, 1),
            "executions": self.executions, "status": self.status, "found": self.found, "seeded": self.seeded, "curve": self.curve,
        }  # fmt: skip

    def told(self) -> str:
        """Say it in a line, with a line for each finding."""
        cover, features, kept = self.curve[-1][2:] if self.curve else (0, 0, 0)
        head = (
            f"{self.target.name}: {self.executions} executions, {self.executions / max(self.cpu, 0.1):.0f} a CPU second, {self.cpu:.0f} CPU seconds,"
            f" coverage {self.seeded[0]} -> {cover}, features {features}, corpus {kept}, findings {len(self.found)}"
        )
        return "\n".join([head, *(f"   {found}" for found in self.found)])


def _cpu_of(pid: int) -> float:
    """Return the CPU seconds of a process; 0 where the system has no /proc."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / float(os.sysconf("SC_CLK_TCK"))


def _quoted(word: str) -> str:
    data = encode(word)
    return (
        '"' + "".join(chr(byte) if 32 < byte < 127 and byte not in b'"\\' else f"\\x{byte:02x}" for byte in data) + '"'
    )
