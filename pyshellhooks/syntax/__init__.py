"""Shell syntax: source text, lexer, parser, nodes, quoting and printing. Pure: no os, no file system."""
