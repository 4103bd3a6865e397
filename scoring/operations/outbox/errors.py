"""Errors of sending a notice."""


class NotSent(Exception):
    """It was not sent this time; ``str()`` says why, for the owners of the club.

    :ivar whole_channel: whether nothing else can be sent on this channel now, either.
    """

    def __init__(self, reason: str, *, whole_channel: bool = False) -> None:
        super().__init__(reason)
        self.whole_channel = whole_channel


class NeverSent(Exception):
    """It can never be sent; ``str()`` says why."""


class DeviceGone(Exception):
    """The push service says that the browser no longer takes notices."""
