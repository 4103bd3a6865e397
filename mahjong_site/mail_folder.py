"""Where mails go that are written as files, for trying a site out."""

from pathlib import Path
from urllib.parse import unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured


def mail_folder(url: str, var_dir: Path) -> Path:
    """The folder that ``url`` names, which begins with file:.

    >>> mail_folder("file:///srv/mails", Path("/var")), mail_folder("file:mails", Path("/var"))
    (PosixPath('/srv/mails'), PosixPath('/var/mails'))

    :param var_dir: what a relative path is relative to.
    :raises ImproperlyConfigured: if it names none.
    """
    parts = urlsplit(url)
    path = unquote(parts.netloc + parts.path)
    if not path:
        raise ImproperlyConfigured("EMAIL_URL names no folder: write file:///srv/mails.")
    return var_dir / path
