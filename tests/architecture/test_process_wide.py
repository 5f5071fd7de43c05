"""What a library does to the whole process is felt by its host: such calls stand where a process is ours, or with a reason.

Other threads of an agent go on while a hook runs; they must not find another limit, handler, umask or working directory,
nor have their objects held by somebody who only counts them.
"""

from __future__ import annotations

import ast

from rooms import PACKAGE, sources, tree

WIDE = frozenset(
    "signal.signal signal.setitimer signal.alarm signal.pthread_sigmask signal.set_wakeup_fd os.chdir os.fchdir os.umask "
    "os.putenv os.unsetenv os.nice os.setpriority os.setpgid os.setsid os.chroot resource.setrlimit sys.setswitchinterval "
    "sys.setrecursionlimit sys.set_int_max_str_digits sys.setprofile sys.settrace sys.addaudithook threading.stack_size "
    "threading.setprofile threading.settrace gc.get_objects gc.get_referrers gc.collect gc.disable gc.enable gc.freeze "
    "gc.set_threshold gc.set_debug locale.setlocale time.tzset socket.setdefaulttimeout warnings.simplefilter "
    "warnings.filterwarnings os.environ.update os.environ.pop os.environ.setdefault".split()
)
OURS = (
    "cli/",
    "workers/",
    "host/subreaper.py",
    "host/parent_guard.py",
    "types/reading.py",
)  # a process of ours runs nothing else
ALLOWED = {
    "adapters/agent_framework.py": {"warnings.simplefilter"},  # in catch_warnings, while it is imported
    "host/signals.py": {"signal.signal"},  # installed by commands only: sh, prompt, serve, mcp-proxy
    "utilities/support/gauge.py": {"gc.get_objects"},  # in one step: tests/unit/utilities/test_gauge.py
}


def wide(module: ast.AST) -> set[str]:
    """Name the calls of a module that act on the whole process, those that it only hands on too."""
    found = {ast.unparse(node) for node in ast.walk(module) if isinstance(node, ast.Attribute)} & WIDE
    for node in ast.walk(module):
        if isinstance(node, ast.ImportFrom):
            found |= {f"{node.module}.{alias.name}" for alias in node.names} & WIDE
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store | ast.Del):
            found |= {"os.environ[]"} & {f"{ast.unparse(node.value)}[]"}
    return found


def test_nothing_acts_on_the_whole_process_of_a_host() -> None:
    found = {
        where: calls
        for path in sources()
        if not (where := path.relative_to(PACKAGE).as_posix()).startswith(OURS) and (calls := wide(tree(path)))
    }
    assert found == ALLOWED


def test_the_check_can_fail() -> None:
    text = "import os, gc\nfrom signal import signal as s\nos.environ['A'] = ''\nmap(gc.get_objects, ())\nos.getcwd()"
    assert wide(ast.parse(text)) == {"signal.signal", "os.environ[]", "gc.get_objects"}
