"""The interpreter: state, compiled commands, resolution, invocation, pipelines, traps and jobs."""
