"""What a shell is between two commands: variables, options, jobs, functions; and what a run shares."""
