"""What several utilities share, and what is no command."""
