"""Shell builtins, one file each; ``_index.py`` is generated from their declarations."""
