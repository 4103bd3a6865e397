"""The server of the club's, such as Nextcloud or Keycloak, by which its members may sign in as well."""

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

DISCOVERY = "/.well-known/openid-configuration"


@dataclass(frozen=True, slots=True)
class OidcServer:
    """An OpenID Connect server, and what it knows this site by.

    :ivar name: what people call it: "Sign in with …".
    :ivar server_url: its issuer, without the address of its configuration.
    """

    name: str
    server_url: str
    client_id: str
    client_secret: str

    @classmethod
    def read(cls, read: Callable[[str, str], str]) -> "OidcServer":
        """That of the environment, of which ``read(variable, default)`` returns one."""
        values = {name: read(f"OIDC_{name.upper()}", "").strip() for name in _names()}
        url = values.pop("server_url").removesuffix(DISCOVERY).rstrip("/")
        return cls(server_url=url, **values)

    @property
    def missing(self) -> list[str]:
        """The variables that have to be set yet; all four where nobody signs in by another server."""
        return [f"OIDC_{name.upper()}" for name in _names() if not getattr(self, name)]

    @property
    def usable(self) -> bool:
        return not self.missing

    @property
    def half_filled(self) -> bool:
        return 0 < len(self.missing) < len(_names())

    def as_providers(self) -> dict[str, Any]:
        """The value of ``SOCIALACCOUNT_PROVIDERS``.

        Accounts are told apart by server and person: whoever has the same id at another server is
        somebody else.
        """
        app = {
            "provider_id": self.server_url,
            "name": self.name,
            "client_id": self.client_id,
            "secret": self.client_secret,
            "settings": {"server_url": self.server_url + DISCOVERY},
        }
        return {
            "openid_connect": {
                "APPS": [app],
                "OAUTH_PKCE_ENABLED": True,
                "provider_class": "scoring.web.account.oidc.SignInServer",
            }
        }


def _names() -> list[str]:
    return [field.name for field in fields(OidcServer)]
