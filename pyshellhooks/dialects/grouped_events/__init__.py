"""The form of Claude Code and its relatives: groups of a matcher and handlers under each event, and answers as JSON.

Each system has tables, and a reader of its exit statuses; this package reads configs and answers, and renders verdicts.
"""
