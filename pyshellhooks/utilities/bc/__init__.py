"""bc: a calculator of any precision (POSIX XCU bc; GNU bc 1.07)."""
