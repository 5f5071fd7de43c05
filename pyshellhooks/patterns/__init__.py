"""Patterns: shell globs, POSIX regular expressions, Perl's for ``grep -P``, and matchers of hook systems."""
