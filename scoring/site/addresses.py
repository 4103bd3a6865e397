"""How a browser is told where a server is."""


def address(host: str, port: int) -> str:
    """The site's address on ``host``."""
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"
