"""The way to push services: https to public addresses, and no further.

The address comes from a browser, so it may lead anywhere: also into the network that the server is in.
"""

import socket
from ipaddress import ip_address
from typing import Any

from django.utils.translation import gettext as _
from requests import Session
from requests.adapters import HTTPAdapter
from urllib3 import HTTPSConnectionPool, PoolManager
from urllib3.connection import HTTPSConnection
from urllib3.exceptions import NewConnectionError


class PublicConnection(HTTPSConnection):
    """Connects to addresses of the internet only, whatever a name leads to."""

    def _new_conn(self) -> socket.socket:
        connected: socket.socket = super()._new_conn()
        address = ip_address(connected.getpeername()[0])
        mapped = getattr(address, "ipv4_mapped", None)
        if not (mapped or address).is_global:
            connected.close()
            raise NewConnectionError(self, _("This is no address of the internet."))
        return connected


class PublicPool(HTTPSConnectionPool):
    """Connections of that kind."""

    ConnectionCls = PublicConnection


class PublicAdapter(HTTPAdapter):
    """Opens such connections."""

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        super().init_poolmanager(*args, **kwargs)
        pools: PoolManager = self.poolmanager
        pools.pool_classes_by_scheme = {"https": PublicPool}


def push_session() -> Session:
    """A session that follows no redirect and reads no proxy from the environment."""
    session = Session()
    session.trust_env, session.max_redirects = False, 0
    session.adapters.clear()
    session.mount("https://", PublicAdapter())
    return session
