"""ls: list directories (POSIX XCU ls; GNU coreutils 9.1, for output that is not a terminal)."""
