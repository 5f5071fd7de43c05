"""``pyshellhooks serve --install``: command hooks of a settings file move to a file beside it, and one entry an event stays."""
