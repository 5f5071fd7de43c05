"""ls: list directories (POSIX XCU ls; GNU coreutils 9.1 with an output that is not a terminal)."""
