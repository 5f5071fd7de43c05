"""One module for each agent SDK, each with one name: ``ShellHooks``. None is imported until you import it."""
