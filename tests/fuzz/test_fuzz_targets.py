"""Each fuzz target over its seeds and a few mutants, without Atheris; what was found once; and that findings are found."""

from __future__ import annotations

import json
import os
from pathlib import Path
from random import Random

import pytest

from tests.fuzz.__main__ import main as fuzz
from tests.fuzz.all_targets import TARGETS
from tests.fuzz.findings import REGRESS, Findings, known
from tests.fuzz.sitting import Sitting
from tests.fuzz.tally import table
from tests.fuzz.target import SEPARATOR, Broken, Finding, Target, changed, inputs, minimised, observe

# Of each target, the seeds spread over all that it has; Wine takes ten times as long for each.
SEEDS, MUTANTS = (15, 15) if os.name == "nt" else (90, 110)
FOUND = sorted(REGRESS.glob("*/*.input"))


@pytest.mark.one_in(2, slow=2)
@pytest.mark.parametrize("name", TARGETS)
def test_seeds_and_mutants(name: str) -> None:
    target = TARGETS[name]
    seeds = [target.joined(seed) for seed in inputs(target)]
    random = Random(name)
    mutants = [changed(target, random.choice(seeds), random) for _ in range(MUTANTS)]
    explained = known()
    for data in [*seeds[:: max(1, len(seeds) // SEEDS)], *mutants]:
        finding = observe(target, data)
        assert finding is None or (name, finding.kind) in explained, (target.split(data), finding)


@pytest.mark.parametrize("path", FOUND, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_what_was_found_is_mended(path: Path) -> None:
    assert observe(TARGETS[path.parent.name], path.read_bytes()) is None


def _planted(first: str, second: str) -> None:
    if "needle" in second:
        raise Broken("a needle", second)
    if "open" in first:
        Path("/no/such/file").exists()
        open("/no/such/file")
    if "stop" in first:
        raise SystemExit(1)


PLANTED = Target("planted", ("first", "second"), _planted, lambda: [("a b", "hay hay")], ("needle",))


def test_a_broken_promise_is_found_made_small_and_kept(tmp_path: Path) -> None:
    random = Random(1)
    data = PLANTED.joined(inputs(PLANTED)[0])
    while (finding := observe(PLANTED, data)) is None:
        data = changed(PLANTED, data, random)
    assert finding.kind == "a needle"
    assert PLANTED.split(minimised(PLANTED, data, finding)) == ["", "needle"]
    findings = Findings(tmp_path, PLANTED)
    assert findings.is_new(finding)
    path = findings.save(data, finding)
    assert not findings.is_new(finding) and not Findings(tmp_path, PLANTED).is_new(finding)
    assert findings.stand() == [path] and "a needle" in path.with_suffix(".txt").read_text()
    mended = PLANTED._replace(check=lambda first, second: None)
    assert Findings(tmp_path, mended).stand() == [] and Findings(tmp_path, mended).is_new(finding)


@pytest.mark.parametrize(("word", "kind"), [("open", "FileNotFoundError in"), ("stop", "SystemExit in")])
def test_whatever_is_raised_is_found(word: str, kind: str) -> None:
    finding = observe(PLANTED, PLANTED.joined([word, ""]))
    assert finding is not None and finding.kind.startswith(kind)


def test_what_leaves_its_world_is_found() -> None:
    def touch(path: str) -> None:
        try:
            open(path)
        except OSError:
            pass

    finding = observe(Target("touching", ("path",), touch, lambda: [("x",)]), b"/no/such/file")
    assert finding is not None and finding.kind == "left its world by open"


def test_parts_are_read_as_they_are_written() -> None:
    assert PLANTED.split(PLANTED.joined(["a\udcff", f"b{SEPARATOR}c"])) == ["a\udcff", f"b{SEPARATOR}c"]
    assert PLANTED.split(b"a") == ["a", ""]


def test_the_sum_of_sittings(tmp_path: Path) -> None:
    rows = []
    for cpu, cover in ((70, 500), (50, 700)):
        sitting = Sitting(PLANTED, tmp_path, 1, 1)
        for line in (
            "#9 INITED cov: 400 ft: 450 corp: 3/9b",
            f"#90\tDONE   cov: {cover} ft: 800 corp: 4/12b lim: 4 exec/s: 9",
            "FINDING x y",
        ):
            sitting._read(line, 0)
        sitting.cpu = cpu
        rows.append(json.dumps(sitting.row()))
    lines = table(rows).splitlines()
    assert lines[1].split() == ["planted", "2", "120", "180", "2", "400/450", "500/800", "-", "-", "700/800", "1"]
    assert lines[2].startswith("0.03 CPU hours, 180 executions") and lines[3] == "planted: x y"


def test_a_finding_that_is_known_is_passed_over(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "known.toml"
    file.write_text('[[known]]\ntarget = "planted"\nkind = "a needle"\nreason = "why"\n', encoding="utf-8")
    monkeypatch.setattr("tests.fuzz.findings.KNOWN", file)
    assert not Findings(tmp_path, PLANTED).is_new(Finding("a needle", ""))
    assert Findings(tmp_path, PLANTED).is_new(Finding("another", ""))


def test_without_atheris_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["fuzz", "--target", "parser"])
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert fuzz() == 2
    assert "pip install -e '.[fuzz]'" in capsys.readouterr().err
