"""Oniguruma's regular expressions as jq uses them, on engines that can be interrupted."""
