"""xargs: build command lines from input (POSIX XCU xargs; GNU findutils 4.9.0)."""
