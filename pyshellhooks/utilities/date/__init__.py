"""date: the date and time, and what a text says of them (POSIX XCU date; GNU coreutils 9.1)."""
