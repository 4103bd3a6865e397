"""Name a browser as people call it."""

from django.utils.translation import gettext as _

# The first that is found counts: most browsers name others as well.
BROWSERS = (
    *(("Edg", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser", "Samsung Internet")),
    *(("Firefox", "Firefox"), ("FxiOS", "Firefox"), ("Chrome", "Chrome"), ("CriOS", "Chrome")),
    ("Safari", "Safari"),
)
SYSTEMS = (
    *(("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("CrOS", "ChromeOS")),
    *(("Windows", "Windows"), ("Macintosh", "Mac"), ("Linux", "Linux")),
)


def device_name(user_agent: str) -> str:
    """The browser and the device of ``user_agent``, such as "Chrome on Android"; of others, the beginning."""
    browser, system = _first(BROWSERS, user_agent), _first(SYSTEMS, user_agent)
    if browser and system:
        return _("%(browser)s on %(device)s") % {"browser": browser, "device": system}
    return browser or system or user_agent[:60] or _("an unknown browser")


def _first(known: tuple[tuple[str, str], ...], user_agent: str) -> str:
    return next((name for sign, name in known if sign in user_agent), "")
