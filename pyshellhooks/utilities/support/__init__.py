"""Code that several utilities share and that is not itself a command."""
