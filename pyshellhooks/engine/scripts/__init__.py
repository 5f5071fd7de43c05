"""Static analysis of hooks' scripts: the files that they name, and the mistakes because of which one is off."""
