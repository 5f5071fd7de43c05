"""The builtins of jq that are functions of values, by family."""
