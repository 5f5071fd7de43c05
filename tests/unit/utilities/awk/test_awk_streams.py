"""awk streams, ends and is stopped; what it starts runs in the embedded shell."""

from __future__ import annotations

import pytest

from pyshellhooks import Limits, MemoryFS, Shell


def run(
    script: str, *, stdin: bytes = b"", timeout: float = 10, limits: Limits | None = None
) -> tuple[int, bytes, str]:
    shell = Shell(fs=MemoryFS(), spawn=False, cwd="/", env={}, limits=limits or Limits())
    result = shell.run(script, stdin=stdin, timeout=timeout)
    assert b"Traceback" not in result.stderr
    return result.status, result.stdout, getattr(result.ended, "reason", "")


def test_exit_ends_an_endless_input() -> None:
    assert run("yes | awk 'NR==3{print NR; exit}'") == (0, b"3\n", "")


def test_getline_from_an_endless_command() -> None:
    assert run("""awk 'BEGIN{while(("yes" | getline x) > 0) if (++n == 3) break; print n, close("yes")}'""")[:2] == (
        0,
        b"3 141\n",
    )


@pytest.mark.parametrize(
    "program",
    [
        "BEGIN{while(1);}",
        "BEGIN{for(;;)x++}",
        "BEGIN{do ; while(1)}",
        "BEGIN{a[1]; while(1) for(k in a) n++}",
        "BEGIN{while(1) s = gensub(/x/, s, 1, s)}",
        "function f(n){while(1) n++} BEGIN{f(1)}",
        'BEGIN{while(1) while(("echo x" | getline)>0) close("echo x")}',
        'BEGIN{system("sleep 60")}',
        'BEGIN{"sleep 60" | getline}',
        'BEGIN{print "x" | "sleep 60"}',
    ],
)
def test_the_deadline_ends_it(program: str) -> None:
    status, out, reason = run(f"awk '{program}' || echo hidden; echo after", timeout=0.3)
    assert (out, reason) == (b"", "deadline")
    assert status != 0


def test_the_deadline_ends_a_filter() -> None:
    assert run("yes | awk '{n++}' ; echo after", timeout=0.3)[1:] == (b"", "deadline")


@pytest.mark.one_in(4)
@pytest.mark.parametrize(
    ("program", "bounds"),
    [
        ('BEGIN{x="a"; while(1) x = x x}', {}),
        ('BEGIN{x="a"; while(1) x = x x x}', {}),
        ('BEGIN{x="aa"; while(1) gsub(/a/, "aa", x)}', {"string": 100_000}),
        ('BEGIN{x="aa"; while(1) gsub(/a./, "&&", x)}', {"string": 100_000}),
        ('BEGIN{printf "%1000000000d", 1}', {}),
        ("BEGIN{$1000000000=1}", {}),
        ("BEGIN{NF=1e15}", {}),
        ("BEGIN{while(1) a[i++]}", {"array": 1000}),
        ("BEGIN{while(1) a[i++]=1}", {"array": 1000}),
        ("BEGIN{while(1) a[i++]++}", {"array": 1000}),
        ('BEGIN{split(sprintf("%2000s","x"),a,"")}', {"array": 1000}),
        ("function f(){f()} BEGIN{f()}", {}),
        ("function f(n){return n+f(n+1)} BEGIN{print f(1)}", {}),
        ('BEGIN{while(1) print "x" > ("f" i++)}', {}),
        ('BEGIN{while(1) print "x" > "f"}', {"written": 100_000}),
        ("BEGIN{while(1) print 1}", {"output": 100_000}),
        ('BEGIN{while((getline x < "long") > 0) n++}', {"string": 1000}),
        ("BEGIN{print " + "1+" * 3000 + "1}", {}),
        ("BEGIN{print " + "(" * 3000 + "1" + ")" * 3000 + "}", {}),
        ("BEGIN" + "{" * 3000 + "}" * 3000, {}),
    ],
)
def test_a_breach_ends_the_run(program: str, bounds: dict[str, int]) -> None:
    """Rule 1: no || and no redirection hides it."""
    script = f"head -c 200000 /dev/zero > long; awk '{program}' 2>/dev/null || echo hidden; echo after"
    status, out, reason = run(script, limits=Limits(**bounds))
    assert reason == "limit"
    assert b"hidden" not in out
    assert b"after" not in out
    assert status != 0


def test_recursion_goes_as_deep_as_calls_may() -> None:
    program = "function f(n){if(n>0){if(n%2){return f(n-1)+1}else{return 1+f(n-1)}} return 0} BEGIN{print f(900)}"
    assert run(f"awk '{program}'")[:2] == (0, b"900\n")


def test_commands_run_in_the_embedded_shell() -> None:
    script = """awk 'BEGIN{system("echo $((1+2))"); "type grep >/dev/null && echo own" | getline x; print x;
    print "b\\na" | "sort"; close("sort"); print "end"}'"""
    assert run(script)[:2] == (0, b"3\nown\na\nb\nend\n")


def test_a_command_gets_more_than_a_block() -> None:
    assert run("""awk 'BEGIN{for(i=0;i<20000;i++) print "line " i | "wc -l"; close("wc -l"); print "x"}'""")[
        1
    ].split() == [
        b"20000",
        b"x",
    ]


def test_a_flush_reaches_the_command_at_once() -> None:
    script = """awk 'BEGIN{c="cat > out"; print "x" | c; fflush(c); close(c); getline l < "out"; print l}'"""
    assert run(script)[:2] == (0, b"x\n")


def test_a_command_that_ends_early_is_an_error() -> None:
    """gawk 5.2.1: fatal, status 2."""
    status, _, reason = run("""awk 'BEGIN{while(i++<1e5) print "some more text" | "head -1 >/dev/null"}' 2>/dev/null""")
    assert (status, reason) == (2, "")


def test_a_reader_that_has_gone_ends_it_quietly() -> None:
    assert run("awk 'BEGIN{while(1) print \"y\"}' | head -2; echo ${PIPESTATUS[0]}")[:2] == (0, b"y\ny\n141\n")


def test_our_output_precedes_that_of_commands() -> None:
    assert (
        run("""awk 'BEGIN{print 1; system("echo 2"); print 3; print 4 | "cat"; close("cat"); print 5}'""")[1]
        == b"1\n2\n3\n4\n5\n"
    )


def test_a_missing_command_is_127() -> None:
    assert run("""awk 'BEGIN{print system("nosuchprogram 2>/dev/null")}'""")[:2] == (0, b"127\n")


def test_the_zone_is_the_call_s(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    assert (
        run("""TZ=America/New_York awk 'BEGIN{print strftime("%H %Z", 0), mktime("1970 01 01 00 00 00")}'""")[1]
        == b"19 EST 18000\n"
    )


def test_any_byte_makes_the_round_trip() -> None:
    data = bytes(byte for byte in range(256) if byte != 10) + b"\n"
    assert run("awk '{x[$0] = $0; for (k in x) print k}'", stdin=data)[1] == data
    assert run("""awk '{print substr($0, 1, 300)}'""", stdin=data)[1] == data
    assert run("""LC_ALL=C awk '{n = gsub(/\\377/, "&"); print n, length($0)}'""", stdin=data)[1] == b"1 255\n"


def test_files_that_include_each_other_are_read_once() -> None:
    script = """printf '@include "b"\\nfunction f(x) { return x + 1 }\\n' >a.awk
printf '@include "a"\\nfunction g(x) { return f(x) * 2 }\\n' >b.awk
awk '@include "a"
@include "b"
BEGIN { print g(1) }'"""
    assert run(script) == (0, b"4\n", "")


def test_a_program_file_that_includes_itself_is_an_error() -> None:
    """As gawk 5.2.1."""
    script = """printf '@include "me"\\nBEGIN { print 1 }\\n' >me.awk; awk -f me.awk 2>&1"""
    assert run(script) == (2, b"awk: me.awk:2: fatal: cannot include `me' and use it as a program file\n", "")


def test_a_long_chain_of_includes_is_a_limit() -> None:
    script = """for ((i = 0; i < 1500; i++)); do echo "@include \\"f$((i + 1))\\"" >f$i.awk; done
echo 'BEGIN { print 1 }' >f1500.awk; awk -i f0 'BEGIN { print 2 }'"""
    status, out, reason = run(script, timeout=30)
    assert (status, out, reason) in ((0, b"1\n2\n", ""), (status, b"", "limit"))


def test_status_of_a_command_that_a_signal_ended() -> None:
    """As gawk 5.2.1: 256 and the signal."""
    program = r"""BEGIN { print system("kill -TERM $$"); "kill -KILL $$" | getline; print close("kill -KILL $$") }"""
    assert run(f"awk '{program}'") == (0, b"271\n265\n", "")
