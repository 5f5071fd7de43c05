"""A resident engine: one process that answers the hooks of every agent of a user, and the small client that asks it.

``client`` is what stands in an agent's settings. ``address`` says where both meet, and how they speak. ``answering`` turns
a payload into an answer, in the engine's process or, where there is none, in the client's own. ``engines`` keeps what was
loaded. ``http``, ``lines`` and ``server`` carry requests.
"""
