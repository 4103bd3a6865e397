"""Links that are shown once, with a QR code to scan from the screen."""

from dataclasses import dataclass

import segno
from django.utils.safestring import SafeString, mark_safe


@dataclass(frozen=True, slots=True)
class ShownLink:
    """A link for ``name``; ``qr`` draws it."""

    address: str
    name: str
    qr: SafeString


def shown_link(address: str, name: str = "") -> ShownLink:
    """``address`` as a page shows it."""
    drawing = segno.make(address, error="m").svg_inline(
        scale=5, border=3, light="#fff", svgclass="qr", lineclass=None
    )
    return ShownLink(address, name, mark_safe(drawing))
