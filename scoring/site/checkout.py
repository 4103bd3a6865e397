"""Where the files are that a setting names by a relative path."""

from pathlib import Path

from django.core.exceptions import ImproperlyConfigured


def in_checkout(setting: str, path: str, checkout: Path) -> Path:
    """The absolute path that ``setting`` names by ``path``: a relative one counts from ``checkout``.

    Whoever runs a command, a timer for one, may do so in any folder. ``~`` is one's own one.

    :raises ImproperlyConfigured: if it is there in the current folder and not in the checkout: it was
        that one once, and a club would begin anew, empty.
    """
    named = Path(path)
    if named.parts[:1] == ("~",):
        named = Path.home().joinpath(*named.parts[1:])
    meant, before = checkout / named, named.absolute()
    if before.exists() and not meant.exists():
        raise ImproperlyConfigured(
            f"{setting} has the relative path {path}. It counts from {checkout}, where there is none; there is "
            f"one in the current folder. Write {before}, if that is meant."
        )
    return meant
