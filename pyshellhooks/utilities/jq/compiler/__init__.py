"""From the tree of a filter to closures: scopes, paths, assignments, control flow and modules."""
