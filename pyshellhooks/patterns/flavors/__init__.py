"""Parsers of the flavors of regular expressions, one a module, to the tree of ``tree``."""
