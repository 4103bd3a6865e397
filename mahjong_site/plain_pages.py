"""Pages that depend on nothing: no database, no session, no static file, no template, no catalogue.

They are shown when something is broken, and nobody knows what: their style stands in them, and their
sentences are English where they cannot be translated.
"""

from base64 import b64encode
from hashlib import sha256
from html import escape

from django.http import HttpRequest, HttpResponse
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_noop as _

STYLE = """
:root{color-scheme:light dark;--paper:#f6f2e8;--ink:#1b211e;--soft:#545b56;--line:#8a8271;
--jade:#0c6b50;--on-jade:#fffdf8}
@media(prefers-color-scheme:dark){:root{--paper:#121614;--ink:#ece7db;--soft:#aab2aa;
--line:#7b857d;--jade:#63cda6;--on-jade:#06231a}}
*{box-sizing:border-box}
html{background:var(--paper);color:var(--ink);font:100%/1.5 system-ui,"Noto Sans",Arial,sans-serif}
body{display:grid;min-height:100vh;margin:0;padding:1rem;align-items:center;overflow-wrap:break-word}
main{width:100%;max-width:40rem;margin:auto;padding:2.25rem 1rem;border:1px dashed var(--line);
border-radius:.5rem;text-align:center}
h1{margin:0;font:600 1.75rem/1.2 ui-serif,Georgia,"Noto Serif",serif;text-wrap:balance}
p{max-width:32rem;margin:.75rem auto;color:var(--soft)}
a{display:inline-flex;align-items:center;min-height:2.75rem;padding:.5rem 1rem;border-radius:.5rem;
background:var(--jade);color:var(--on-jade);font-weight:600;text-decoration:none}
a:focus-visible{outline:3px solid var(--ink);outline-offset:2px}
""".strip()
# No other style than this one, and nothing else at all.
POLICY = (
    f"default-src 'none'; style-src 'sha256-{b64encode(sha256(STYLE.encode()).digest()).decode()}'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
PAGE = """<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{heading}</title>
<style>{style}</style>
</head>
<body>
<main>
<h1>{heading}</h1>
<p>{words}</p>
<a href="{href}">{link}</a>
{number}
</main>
</body>
</html>
"""

HOME = _("Go to the home page")
AGAIN = _("Try again")
NUMBER = _("If it happens again, tell the organiser this number:")
# Heading and words, by status.
SENTENCES = {
    400: (
        _("We could not read that"),
        _(
            "What your browser sent was not complete or not in a form we understand. Nothing was saved. "
            "Go back, reload the page and try again."
        ),
    ),
    409: (
        _("This was removed just now"),
        _(
            "What you sent names a person, an account, a league or rules that somebody else has just "
            "removed. Nothing of it was saved: look again, and try once more."
        ),
    ),
    500: (
        _("Something broke on our side"),
        _(
            "It is not your fault, and it has been written down. What was saved before is safe; what "
            "you just sent may not be: look at the table before you send it again."
        ),
    ),
    503: (
        _("The site cannot answer right now"),
        _(
            "Hands that were waiting are kept on this phone, and are sent when you open a page of the "
            "site again. What you just sent from a form may not be saved: look before you send it "
            "again. Please try again in a minute."
        ),
    ),
}


def plain_page(status: int, *, request_id: str = "", again: str = "") -> HttpResponse:
    """The page for ``status``, one of ``SENTENCES``.

    :param again: an address of this site to try once more; without it the page leads home.
    """
    heading, words = SENTENCES[status]
    texts = translated(heading, words, AGAIN if again else HOME, NUMBER)
    language, heading, words, link, number = map(escape, texts)
    page = PAGE.format(
        language=language,
        style=STYLE,
        heading=heading,
        words=words,
        href=escape(again or "/"),
        link=link,
        number=f"<p>{number} <code>{escape(request_id)}</code></p>" if request_id else "",
    )
    response = HttpResponse(page, status=status)
    response.headers["Content-Security-Policy"] = POLICY
    response.headers["Cache-Control"] = "no-store"
    return response


def translated(*sentences: str) -> tuple[str, ...]:
    """The language of the reader, and ``sentences`` in it; English if the catalogues cannot be read."""
    try:
        return get_language() or "en", *map(gettext, sentences)
    except Exception:
        return "en", *sentences


def address_again(request: HttpRequest) -> str:
    """Where ``request`` can be sent again by a link; empty if it wrote something."""
    return request.get_full_path() if request.method in ("GET", "HEAD") else ""
