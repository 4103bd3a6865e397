"""How often the API may be called."""

from rest_framework.throttling import AnonRateThrottle


class Visitors(AnonRateThrottle):
    """Whoever is not signed in, by address. Members are known, and not counted."""

    scope = "visitor"
