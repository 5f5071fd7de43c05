"""From the text of a filter to its tree, with jq's messages about syntax errors."""
