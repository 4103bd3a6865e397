"""The key pair with which this site proves to push services that a message is its own.

Browsers are bound to the public key when they subscribe: with another key nothing reaches them.
"""

import base64
import os
from contextlib import suppress
from functools import cache
from pathlib import Path
from tempfile import NamedTemporaryFile

from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)
from py_vapid import Vapid02


@cache
def kept_key(path: Path) -> Vapid02:
    """The key pair in ``path``; made on the first call, readable by its owner only.

    :raises OSError: if it cannot be kept there.
    """
    if not path.exists():
        _make(path)
    return Vapid02.from_pem(path.read_bytes())


def public_key(path: Path) -> str:
    """The public key in the form that a browser subscribes with."""
    point = kept_key(path).public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return base64.urlsafe_b64encode(point).decode().rstrip("=")


def _make(path: Path) -> None:
    key = generate_private_key(SECP256R1())
    pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    # As for the secret key: the link appears whole and once, also where several workers start together.
    with NamedTemporaryFile("wb", dir=path.parent, prefix=path.name) as file:
        file.write(pem)
        file.flush()
        with suppress(FileExistsError):
            os.link(file.name, path)
