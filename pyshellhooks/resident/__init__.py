"""A resident engine: one process that runs the hooks of all agents of a user, and its small client.

``client`` is the hook command in an agent's settings. ``address`` defines the socket and the form of a request.
``answering`` turns a payload into a response, in the engine's process or, without an engine, in the client's own.
``engines`` caches loaded engines. ``http``, ``stdio`` and ``server`` transport requests.
"""
