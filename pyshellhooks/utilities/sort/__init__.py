"""sort: order lines (POSIX XCU sort; GNU coreutils 9.1)."""
