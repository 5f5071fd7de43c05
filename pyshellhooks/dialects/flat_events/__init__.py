"""What Firebender and Cursor have in common: one file form, one way to tell events and to answer (docs/contracts/firebender.md).

Firebender took Cursor's form and neither promises to stay with the other's, so that neither dialect is made of the
other: each says its words in a ``Vendor`` and its events in a table, and both are read here.
"""
