"""Concurrency of a shell: processes on threads, background jobs, signals and traps."""
