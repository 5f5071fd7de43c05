"""The state of a shell between two commands: variables, options, jobs, functions; and the shared state of a run."""
