"""``check`` and ``doctor``: diagnostics about configs, scripts, matchers, tools and trust, without a run."""
