"""``pyshellhooks serve --install``: moves the command hooks of a settings file to a file beside it.

One entry for each event replaces them.
"""
