"""tail: the last part of files, and what is added to them (POSIX XCU tail)."""
