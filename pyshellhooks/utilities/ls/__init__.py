"""ls: list directories (POSIX XCU ls; GNU coreutils 9.1 whose output is no terminal)."""
