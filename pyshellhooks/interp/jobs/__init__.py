"""What runs beside a shell or reaches it from outside: processes on threads, background jobs, signals and traps."""
