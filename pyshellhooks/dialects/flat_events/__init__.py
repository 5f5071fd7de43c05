"""The flat form of files and payloads, which Firebender and Cursor share (docs/contracts/firebender.md).

Firebender adopted Cursor's form, and neither promises to follow the other's changes. So neither dialect derives from
the other: each defines its names in a ``Vendor`` and its events in a table, and this package implements both.
"""
