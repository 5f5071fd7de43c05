"""The runner: what passes, what fails, what is known, and what the exit status says."""

from __future__ import annotations

from pathlib import Path

import pytest

from conformance import runner
from conformance.case import HookCase, Known, ShellCase
from conformance.drivers import InProcess, Outcome, Spawned
from conformance.judge import judge
from conformance.record import record


class Canned(InProcess):
    """Answers without running anything."""

    def __init__(self, outcome: Outcome) -> None:
        self.outcome = outcome

    def run(self, case: object) -> Outcome:
        return self.outcome


def shell(**more: object) -> ShellCase:
    return ShellCase(id="t/one", rule="r", source="s", **{"script": "echo a", "stdout": "a\n", **more})  # type: ignore[arg-type]


def hook(**more: object) -> HookCase:
    return HookCase(id="t/two", rule="r", source="s", **more)  # type: ignore[arg-type]


def test_pass_and_fail() -> None:
    report = runner.run([shell()], Canned(Outcome(stdout="a\n")), {})
    assert report.ok and report.passed == ["t/one"]
    report = runner.run([shell()], Canned(Outcome(stdout="b\n")), {})
    assert not report.ok and report.failed == {"t/one": ["stdout: expected 'a\\n', got 'b\\n'"]}


def test_status_and_stderr_count() -> None:
    assert judge(shell(), Outcome(stdout="a\n", status=1)) == ["status: expected 0, got 1"]
    assert judge(shell(stderr_matches="^x: "), Outcome(stdout="a\n", stderr="x: y\n")) == []
    assert len(judge(shell(stderr=""), Outcome(stdout="a\n", stderr="noise"))) == 1


def test_a_known_difference_must_still_fail() -> None:
    known = {"t/one": Known("t/one", "why", "where")}
    report = runner.run([shell()], Canned(Outcome(stdout="b\n")), known)
    assert report.ok and report.known == ["t/one"]
    report = runner.run([shell()], Canned(Outcome(stdout="a\n")), known)
    assert not report.ok and report.unexpected == ["t/one"]


def test_an_exception_is_the_cases_failure() -> None:
    class Raising(Canned):
        def run(self, case: object) -> Outcome:
            raise ZeroDivisionError("boom")

    report = runner.run([shell(), shell()], Raising(Outcome()), {})
    assert "boom" in report.failed["t/one"][0]


def test_a_verdict_is_compared_by_the_fields_that_the_case_names() -> None:
    case = hook(verdict={"decision": "deny", "hooks": [{"ended": "ok"}]})
    verdict = {"decision": "deny", "reason": "x", "hooks": [{"ended": "ok", "exit_code": 0}], "notices": []}
    assert judge(case, Outcome(verdict=verdict)) == []
    assert judge(case, Outcome(verdict={**verdict, "decision": "allow"})) == ["decision: expected 'deny', got 'allow'"]
    assert "expected 1 entries, got 0" in judge(case, Outcome(verdict={**verdict, "hooks": []}))[0]


def test_a_rewrite_is_compared_whole() -> None:
    case = hook(verdict={"updated_input": {"a": 1}})
    assert judge(case, Outcome(verdict={"updated_input": {"a": 1}})) == []
    assert judge(case, Outcome(verdict={"updated_input": {"a": 1, "b": 2}})) != []
    assert judge(hook(verdict={"updated_input": {}}), Outcome(verdict={"updated_input": None})) == []
    ordered = hook(verdict={"updated_input": '{"b":1,"a":2}'})
    assert judge(ordered, Outcome(verdict={"updated_input": {"a": 2, "b": 1}})) != []


def test_notices_and_errors() -> None:
    verdict = {"notices": ["gone: not found"], "hooks": []}
    assert judge(hook(notices_match=("not found",)), Outcome(verdict=verdict)) == []
    assert judge(hook(notices_match=("other",)), Outcome(verdict=verdict)) != []
    assert judge(hook(error_matches="bad"), Outcome(error="a bad one")) == []
    assert judge(hook(error_matches="bad"), Outcome(verdict=verdict)) != []
    assert judge(hook(verdict={"decision": "none"}), Outcome(error="broken")) == ["config error: broken"]


def test_files_that_a_case_expects() -> None:
    case = shell(wrote={"f": "x", "g": False})
    assert judge(case, Outcome(stdout="a\n", wrote={"f": "x", "g": False})) == []
    assert judge(case, Outcome(stdout="a\n", wrote={"f": "x", "g": "y"})) == ["file g: expected False, got 'y'"]


@pytest.mark.oracle
def test_against_a_real_shell(program: object, capsys: pytest.CaptureFixture[str]) -> None:
    bash = program("bash")  # type: ignore[operator]
    assert runner.main(["--against", bash, "--only", "shell/quoting/*"]) == 0
    assert "18 passed" in capsys.readouterr().out


def test_hook_cases_are_not_for_a_shell() -> None:
    assert Spawned(["sh"]).refuses(hook()) == "not a script"
    assert Spawned(["sh"]).refuses(shell()) == ""


def test_our_own_answer_is_for_no_other_shell() -> None:
    case = shell(script="false", stdout="", status=1, ours="a refusal by name")
    report = runner.run([case], Spawned(["no-such-shell"]), {})
    assert (report.ok, report.skipped) == (True, {case.id: "only for pyshellhooks: a refusal by name"})
    assert runner.run([case], InProcess(), {}).passed == [case.id]


def test_the_recorder_runs_no_shell_for_our_own_answer(tmp_path: Path) -> None:
    path = tmp_path / "t.toml"
    path.write_text("rule = 'r'\nsource = 's'\ncase = [\n{ id = 'a', script = 'x', ours = 'why' },\n]\n")
    with pytest.raises(SystemExit, match="t/a: only for pyshellhooks: why"):
        record(path, Spawned(["no-such-shell"]), "sh 1")


def test_a_missing_program_is_named() -> None:
    assert Spawned(["sh"]).refuses(shell(needs=("no-such-program",))) == "needs no-such-program"


def test_a_case_that_needs_root_is_refused_for_other_users(monkeypatch: pytest.MonkeyPatch) -> None:
    for driver in (Spawned(["sh"]), InProcess()):
        for uid, said in ((0, ""), (1000, "needs root")):
            monkeypatch.setattr("os.geteuid", lambda uid=uid: uid, raising=False)
            assert driver.refuses(shell(needs=("root",))) == said
            assert driver.refuses(shell()) == ""


@pytest.mark.slow
def test_usage_errors(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert runner.main([str(tmp_path / "none.toml")]) == 1
    assert runner.main(["--only", "no/such"]) == 1
    assert runner.main(["--frobnicate"]) == 1
    assert "none.toml" in capsys.readouterr().err
    assert runner.main(["--list", "--only", "crush/*"]) == 0


FURNISHED = {
    "files": {"d/f": "ÿ", "e/": "", "l": "->d/f", "x/y/z": ""},
    "script": "cat l; printf '\\351' > new; mv d/f d/g; rmdir e; ln -s new m; echo @CWD@",
    "encoding": "latin-1",
    "whole": True,
    "stdout": "ÿ@CWD@\n",
    "wrote": {"d/f": False, "d/g": "ÿ", "e/": False, "m": "->new", "new": "é"},
}


@pytest.mark.not_on_windows("needs-symlink")
@pytest.mark.parametrize("virtual", [True, False])
def test_links_directories_and_bytes(virtual: bool) -> None:
    case = shell(**FURNISHED, virtual=virtual)
    assert judge(case, InProcess().run(case)) == []


@pytest.mark.oracle
def test_a_real_shell_finds_and_leaves_the_same(program: object) -> None:
    case = shell(**FURNISHED)
    assert judge(case, Spawned([program("bash")]).run(case)) == []  # type: ignore[operator]


def test_a_whole_case_expects_no_other_changes() -> None:
    case = shell(whole=True, files={"d/f": "x"})
    assert judge(case, Outcome(stdout="a\n", wrote={"d/": "", "d/f": "x"})) == []
    assert judge(case, Outcome(stdout="a\n", wrote={"d/": ""})) == ["file d/f: expected 'x', got False"]
    assert judge(case, Outcome(stdout="a\n", wrote={"d/": "", "d/f": "x", "g": ""})) == [
        "file g: expected False, got ''"
    ]
