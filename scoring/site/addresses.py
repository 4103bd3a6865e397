"""Write the address of a server as a browser takes it."""

# A server on all of these is found on this machine, too.
ANY = ("0.0.0.0", "::", "*")


def address(host: str, port: int) -> str:
    """The site's address on ``host``."""
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"
