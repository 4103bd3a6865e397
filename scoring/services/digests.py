"""Digests of codes that only their owner knows."""

from hashlib import sha256


def digest_of(code: str) -> str:
    """The SHA-256 of ``code``, as 64 hexadecimal digits. Codes are long and random, so it needs no salt."""
    return sha256(code.encode(errors="replace")).hexdigest()
