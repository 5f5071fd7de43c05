"""What passes as it is, and that no form of a message gets by the hooks, crashes the proxy or leaves a client waiting."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from proxied import Place, Proxy, answering_command, hook

pytestmark = pytest.mark.not_on_windows("needs-tools")

NO = hook("PreToolUse", "echo no >&2; exit 2", "mcp__tests__.*")
SEEN = hook("PostToolUse", answering_command("PostToolUse", additionalContext="seen"), "mcp__tests__.*")
DENIED = {"content": [{"type": "text", "text": "no"}], "isError": True}


@pytest.mark.one_in(2, slow=2)
@pytest.mark.slow
def test_everything_but_calls_passes_as_it_is(place: Place) -> None:
    """Unknown methods, unknown fields, notifications, answers and errors; the hooks would deny any call."""
    messages: list[dict[str, Any]] = [
        {
            "id": 1,
            "method": "initialize",
            "params": {"protocolVersion": "2099-01-01", "capabilities": {"new": {"x": 1}}},
        },
        {"method": "notifications/initialized"},
        {"id": "a", "method": "tools/list", "params": {"_meta": {"k": [1, 2.5, None, True, "ü\u0000"]}}},
        {"id": 2, "method": "something/new", "params": {"deep": {"er": [[[]]]}, "long": 2**80}},
        {"method": "notifications/new", "params": {"x": ""}},
        {"method": "notifications/cancelled", "params": {"requestId": 99, "reason": "of something else"}},
        {"id": 7, "result": {"roots": []}},
        {"id": 8, "error": {"code": -1, "message": "no", "data": {"x": None}}},
        {"id": 3, "method": "resources/read", "params": {"uri": "file:///x"}},
        {"id": 4, "method": "ping"},
    ]
    proxy = place.start(NO)
    for message in messages:
        proxy.send(message)
    for message in messages:
        if "method" in message and "id" in message:
            assert proxy.answer(message["id"])["result"] == {"got": message.get("params", {})}
    assert proxy.end()[0] == 0
    assert [json.loads(line) for line in place.logged().splitlines()] == [{"jsonrpc": "2.0", **one} for one in messages]


@pytest.mark.one_in(2, slow=2)
@pytest.mark.slow
def test_messages_of_the_server_pass_unchanged(place: Place) -> None:
    proxy = place.start(NO)
    said = [
        {
            "jsonrpc": "2.0",
            "method": "notifications/progress",
            "params": {"progressToken": 1, "progress": 0.5, "new": 1},
        },
        {"jsonrpc": "2.0", "id": 0, "method": "sampling/createMessage", "params": {"messages": [], "tools": [{}]}},
        {"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "what?"}},
    ]
    proxy = place.start(SEEN)
    for number, one in enumerate(said):
        proxy.call(number, "says", {"line": json.dumps(one)})
        assert proxy.receive() == one
        assert proxy.text(number).endswith("\nseen")


def test_arguments_reach_hooks_and_server_unchanged(place: Place) -> None:
    proxy = place.start(hook("PreToolUse", "cat >seen"))
    for arguments in (None, {}, {"a": None, "b": [1.5, "ü", {"c": []}]}, {"": {"": 0}}):
        proxy.call(1, "mirror", arguments)
        assert json.loads(proxy.text(1)) == arguments
        payload = json.loads((place.path / "seen").read_text(encoding="utf-8"))
        assert payload["tool_input"] == (arguments or {})
        assert payload["tool_name"] == "mcp__tests__mirror" and payload["tool_use_id"]


@pytest.mark.one_in(2, slow=2)
@pytest.mark.slow
def test_a_call_without_arguments_stays_one(place: Place) -> None:
    proxy = place.start(SEEN)
    proxy.send({"id": 1, "method": "tools/call", "params": {"name": "mirror", "new": {"x": 1}}})
    assert proxy.text(1) == "null\nseen"
    assert json.loads(place.logged())["params"] == {"name": "mirror", "new": {"x": 1}}


# Lines that hold a call in a form that is none, and the errors that the client gets: (id, code).
ODD = {
    "a list of arguments": (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":[1]}}', 1, -32602),
    "a text of arguments": (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":"{}"}}', 1, -32602),
    "no name": (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"arguments":{}}}', 1, -32602),
    "a name that is no text": (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":["x"]}}', 1, -32602),
    "no parameters": (b'{"jsonrpc":"2.0","id":"i","method":"tools/call"}', "i", -32602),
    "null as parameters": (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":null}', 1, -32602),
    "a list of parameters": (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":["x"]}', 1, -32600),
    "a batch": (b'[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}]', 1, -32600),
    "an old version": (b'{"jsonrpc":"1.0","id":1,"method":"tools/call","params":{"name":"x"}}', 1, -32600),
    "no version": (b'{"id":1,"method":"tools/call","params":{"name":"x"}}', 1, -32600),
    "too deep": (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{"a":' + b"[" * 500 + b"]" * 500 + b"}}}", 1, -32600),
    "too long a number": (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{"a":' + b"9" * 9000 + b"}}}", None, -32700),
    "no JSON": (b'{"jsonrpc":"2.0","id":1,"method":"tools/call",', None, -32700),
    "a number": (b"5", None, -32600),
    "nothing": (b"", None, -32700),
}  # fmt: skip


@pytest.mark.one_in(2, slow=2)
@pytest.mark.slow
def test_an_odd_call_is_an_error_and_the_client_does_not_wait(place: Place) -> None:
    proxy = place.start(SEEN)
    for case, (line, id, code) in ODD.items():
        proxy.send(line)
        answer = proxy.receive()
        assert (answer["id"], answer["error"]["code"]) == (id, code), case
    assert_it_still_works(proxy)
    assert len(place.logged().splitlines()) == 1  # only the call that followed


def assert_it_still_works(proxy: Proxy) -> None:
    proxy.call("next", "mirror", {"a": 1})
    assert proxy.text("next") == '{"a": 1}\nseen'
    status, said = proxy.end()
    assert status == 0 and "Traceback" not in said and "internal" not in said


@pytest.mark.one_in(2, slow=2)
@pytest.mark.slow
def test_a_call_with_an_invalid_id_is_not_passed_on(place: Place) -> None:
    """The package reads it as a notification; a server that ran one would run it unasked."""
    proxy = place.start(SEEN)
    for id in ("null", "1.5", "true", "[]"):
        proxy.send(f'{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"mirror"}}}}'.encode())
    assert_it_still_works(proxy)
    assert len(place.logged().splitlines()) == 1
    assert proxy.said.decode().count("without a valid id") == 4


# Texts with halves of surrogate pairs, and what UTF-8 can hold of them.
HALVES = [
    ("\ud83d", "\ufffd"),
    ("a\ude00b", "a\ufffdb"),
    ("\ude00\ud83d", "\ufffd\ufffd"),
    ("\ud83d\ude00", "\U0001f600"),
    ("\U0001f600\ud83d", "\U0001f600\ufffd"),
]
# Places in a message for such a text.
SPOTS: dict[str, Callable[[str], Any]] = {
    "alone": lambda text: text,
    "a value": lambda text: {"params": {"data": text}},
    "an item": lambda text: {"params": [1, [text]]},
    "a key": lambda text: {text: 1},
    "a key of an object in a list": lambda text: {"params": [{"a": {text: None}}]},
    "a key and its value": lambda text: {"params": {text: {text: [text]}}},
}


@pytest.mark.parametrize(("half", "whole"), HALVES, ids=ascii)
@pytest.mark.parametrize("spot", SPOTS)
def test_no_half_of_a_pair_is_passed_on(mcp: None, spot: str, half: str, whole: str) -> None:
    from pyshellhooks.mcp_proxy.messages import replace_surrogates_within

    found = replace_surrogates_within(SPOTS[spot](half))
    assert found == SPOTS[spot](whole)
    json.dumps(found, ensure_ascii=False).encode()


# Values that JSON has and others lack, and what the server gets.
VALUES = {
    "half a surrogate pair": (rb'"\ud83d"', "\ufffd"),
    "the other half": (rb'"a\ude00b"', "a\ufffdb"),
    "both halves": (rb'"\ud83d\ude00"', "\U0001f600"),
    "bytes that are no UTF-8": (b'"\xff\xfe"', "\ufffd\ufffd"),
    "NaN": (b"NaN", None),
    "infinity": (b"-Infinity", None),
    "a long number": (b"9" * 300, int("9" * 300)),
}


@pytest.mark.one_in(2, slow=2)
@pytest.mark.slow
def test_hooks_and_server_get_the_same_value(place: Place) -> None:
    proxy = place.start(hook("PreToolUse", "cat >seen"), SEEN)
    for case, (raw, value) in VALUES.items():
        line = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"mirror","arguments":{"a":%s}}}' % raw
        proxy.send(line)
        assert json.loads(proxy.text(1).removesuffix("\nseen")) == {"a": value}, case
        assert json.loads((place.path / "seen").read_text(encoding="utf-8"))["tool_input"] == {"a": value}, case
    assert_it_still_works(proxy)


@pytest.mark.one_in(2, slow=2)
@pytest.mark.slow
def test_a_repeated_key_is_the_same_for_hooks_and_server(place: Place) -> None:
    proxy = place.start(
        hook("PreToolUse", "jq -e '.tool_input.a == 2' >/dev/null && { echo two >&2; exit 2; }; exit 0")
    )
    line = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"mirror","arguments":{"a":%s,"a":%s}}}'
    proxy.send(line % (b"1", b"2"))
    assert proxy.text(1) == "two"
    proxy.send(line % (b"2", b"1"))
    assert proxy.text(1) == '{"a": 1}'


@pytest.mark.one_in(2, slow=2)
@pytest.mark.slow
def test_ten_megabytes(place: Place) -> None:
    proxy = place.start(hook("PreToolUse", "jq -r '.tool_input.a | length' >length"), SEEN)
    proxy.call(1, "mirror", {"a": "x" * 10_000_000})
    assert len(proxy.text(1)) > 10_000_000
    assert (place.path / "length").read_text().strip() == "10000000"


def test_half_a_surrogate_pair_from_the_server(place: Place) -> None:
    """A text that a server cut in the middle of an emoji is no reason for a client to wait for ever."""
    proxy = place.start(SEEN)
    line = r'{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"cut \ud83d"}}'
    proxy.call(1, "says", {"line": line})
    assert proxy.receive()["params"] == {"data": "cut \ufffd"}
    assert_it_still_works(proxy)


@pytest.mark.one_in(2, slow=2)
@pytest.mark.slow
def test_noise_of_the_server_is_reported_and_not_passed_on(place: Place) -> None:
    proxy = place.start(SEEN)
    proxy.call(1, "says", {"line": "Server is ready!"})
    assert proxy.receive()["id"] == 1
    assert_it_still_works(proxy)
    assert "dropped a message of the server" in proxy.said.decode()


# -- guards ---------------------------------------------------------------------------------------------------------------


@pytest.mark.one_in(2, slow=2)
@pytest.mark.slow
def test_an_unexpected_answer_is_not_passed_on(place: Place) -> None:
    """A server could answer a call before its hooks have, or twice: no hook would have seen that result."""
    slow = hook("PreToolUse", "jq -r .tool_name | grep -q later && { sleep 1; echo no >&2; exit 2; }; exit 0")
    proxy = place.start(slow)
    proxy.call("later", "later")
    early = {"jsonrpc": "2.0", "id": "later", "result": {"content": [{"type": "text", "text": "unseen"}]}}
    proxy.call(1, "says", {"line": json.dumps(early)})
    proxy.call(2, "twice")
    answers = {message["id"]: message["result"] for message in (proxy.receive(), proxy.receive(), proxy.receive())}
    assert answers["later"] == DENIED
    assert answers[2]["content"][0]["text"] == "first"
    assert proxy.lines.empty()
    assert proxy.end()[1].count("dropped a response of the server") == 2


@pytest.mark.one_in(2, slow=2)
@pytest.mark.slow
def test_an_id_that_is_open_is_refused(place: Place) -> None:
    proxy = place.start(hook("PreToolUse", "echo >>asked"))
    proxy.send({"id": 1, "method": "never"})
    proxy.call(1, "mirror")
    assert proxy.receive()["error"]["code"] == -32600
    proxy.call(2, "silent")
    proxy.call(2, "mirror")
    assert proxy.receive()["error"]["code"] == -32600
    assert "mirror" not in place.logged()


@pytest.mark.one_in(2, slow=2)
@pytest.mark.slow
def test_hooks_see_each_call(place: Place) -> None:
    """One id after another, the same id again, and many at once: a hook is never spared."""
    proxy = place.start(hook("PreToolUse", "echo asked >>asked"))
    for _ in range(3):
        proxy.call(1, "mirror", {"a": 1})
        assert proxy.text(1) == '{"a": 1}'
    for id in range(20):
        proxy.call(f"n{id}", "mirror", {"a": 1})
    assert {proxy.receive()["id"] for _ in range(20)} == {f"n{id}" for id in range(20)}
    assert (place.path / "asked").read_text().count("asked") == 23


@pytest.mark.one_in(2, slow=2)
@pytest.mark.slow
def test_hooks_see_a_denied_call_again(place: Place) -> None:
    proxy = place.start(hook("PreToolUse", "[ -e open ] && exit 0; echo shut >&2; exit 2"))
    proxy.call(1, "mirror")
    assert proxy.text(1) == "shut"
    (place.path / "open").touch()
    proxy.call(1, "mirror")
    assert proxy.text(1) == "null"


@pytest.mark.one_in(2, slow=2)
@pytest.mark.slow
def test_tasks_are_refused_if_a_hook_reads_the_result(place: Place) -> None:
    proxy = place.start(SEEN)
    proxy.call(1, "mirror", {}, task={"ttl": 1})
    assert "result of a task" in proxy.text(1) and place.logged() == ""
    proxy.call(2, "task", {})
    assert "whose result hooks can't see" in proxy.text(2)


@pytest.mark.one_in(2, slow=2)
@pytest.mark.slow
def test_tasks_pass_if_no_hook_reads_the_result(place: Place) -> None:
    proxy = place.start(hook("PreToolUse", "true"))
    proxy.call(1, "task", {}, task={"ttl": 1})
    assert proxy.answer(1)["result"] == {"task": {"taskId": "t1", "status": "working"}}


@pytest.mark.slow
@pytest.mark.parametrize("text", ["stray", '{"jsonrpc":"2.0","id":1,"result":{}}'])
def test_nothing_that_a_hook_writes_is_protocol(place: Place, text: str) -> None:
    both = f"printf '%s\\n' '{text}'; printf '%s\\n' '{text}' >&2; (printf '%s\\n' '{text}' >/dev/stdout); exit 0"
    proxy = place.start(hook("PreToolUse", both), hook("PostToolUse", both))
    proxy.call(1, "mirror", {})
    assert proxy.receive()["result"]["content"][0]["text"] == "{}"
    proxy.end()
    assert proxy.lines.empty()


@pytest.mark.one_in(2, slow=2)
@pytest.mark.slow
def test_untrusted_hooks_let_no_call_through(place: Place) -> None:
    """As ``fire``: nothing goes on by mistake while hooks of the project are not asked (docs/trust.md)."""
    settings = place.path / ".claude" / "settings.json"
    settings.parent.mkdir()
    settings.write_text(json.dumps({"hooks": SEEN}), encoding="utf-8")
    proxy = place.start()
    proxy.call(1, "mirror")
    assert "run `pyshellhooks trust`" in proxy.text(1) and place.logged() == ""
    proxy.send({"id": 2, "method": "ping"})
    assert proxy.receive()["result"] == {"got": {}}
    trusted = place.start(options=("--trust-project",))
    trusted.call(1, "mirror", {})
    assert trusted.text(1) == "{}\nseen"


@pytest.mark.one_in(2, slow=2)
@pytest.mark.slow
def test_guards_of_a_shell_for_a_tool_that_is_one(place: Place) -> None:
    bash = hook("PreToolUse", "jq -r .tool_input.command | grep -q rm && { echo 'no rm' >&2; exit 2; }; exit 0", "Bash")
    proxy = place.start(bash, options=("--tool", "run_command=shell"))
    proxy.call(1, "run_command", {"cmd": "rm x"})
    assert proxy.text(1) == "no rm"
    proxy.call(2, "run_command", {"cmd": "ls"})
    assert json.loads(proxy.text(2)) == {"cmd": "ls"}
