"""Patterns: shell globs, POSIX regular expressions, Perl's for ``grep -P``, and the matchers of hook formats."""
