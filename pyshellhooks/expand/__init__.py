"""Word expansions of POSIX XCU 2.6 and bash, compiled once into closures."""
