"""QR codes for cards that are printed."""

import segno
from django.utils.safestring import SafeString, mark_safe


def card_code(address: str) -> SafeString:
    """A picture of ``address`` to scan, black on white, as wide as there is room."""
    picture = segno.make(address, error="m", micro=False)
    # Drawn by us from an address of ours.
    return mark_safe(picture.svg_inline(omitsize=True, border=2, dark="#000", light="#fff"))
