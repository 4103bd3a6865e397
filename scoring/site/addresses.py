"""Write the address of a server as a browser takes it."""


def address(host: str, port: int) -> str:
    """The site's address on ``host``."""
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"
