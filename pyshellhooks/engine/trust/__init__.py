"""Trust in the hooks of a project: the store, the hashes of files, and the locks of files that changed."""
