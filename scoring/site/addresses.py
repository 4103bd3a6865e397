"""Write the address of a server as a browser takes it."""

from collections.abc import Iterable

# A server on all addresses of a machine is found on that machine, too.
ANY = ("0.0.0.0", "::", "*")


def address(host: str, port: int) -> str:
    """The site's address on ``host``."""
    host = "127.0.0.1" if host in ANY else host
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def https_origins(origins: Iterable[str]) -> list[str]:
    """Of CSRF_TRUSTED_ORIGINS those with https: a site that names one sends everybody there."""
    return [origin for origin in origins if origin.startswith("https://")]
