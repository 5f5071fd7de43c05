"""tail: print the last part of files, and text appended to them (POSIX XCU tail)."""
