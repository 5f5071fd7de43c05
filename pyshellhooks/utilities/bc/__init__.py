"""bc: an arbitrary precision calculator (POSIX XCU bc; GNU bc 1.07)."""
