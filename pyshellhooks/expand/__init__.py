"""From words to text: every expansion of POSIX XCU 2.6 and bash, compiled once into closures."""
