"""Checks of ``check --deploy`` and ``migrate`` besides Django's own."""

import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register
from django.db import connections
from django.db.migrations.recorder import MigrationRecorder
from django.http.request import validate_host

# What Django compares with the name that a request asks for: a name, a domain with all below it, an address.
HOST = re.compile(r"\.?[\w-]+(\.[\w-]+)*|\[[0-9a-f:.]+\]", re.ASCII | re.IGNORECASE)
EVERY_HOST = "*"
UTF8 = "UTF8"  # as PostgreSQL calls it


@register(Tags.security, deploy=True)
def proxies_are_counted(app_configs: Any, **options: Any) -> list[CheckMessage]:
    """A site with https stands behind a proxy, whose address is then everybody's."""
    if not settings.HTTPS or settings.REST_FRAMEWORK["NUM_PROXIES"]:
        return []
    return [
        Warning(
            "NUM_PROXIES is 0 although the site is served over https: behind a proxy the whole club "
            "shares one rate limit, and one lock on guessing passwords.",
            hint="Set NUM_PROXIES to the number of proxies before the site, mostly 1.",
            id="mahjong_site.W001",
        )
    ]


@register(Tags.security, deploy=True)
def oidc_is_complete(app_configs: Any, **options: Any) -> list[CheckMessage]:
    """Nobody signs in by a server of which something is missing, or whose answers others can write."""
    problems: list[CheckMessage] = []
    if settings.OIDC.half_filled:
        problems.append(
            Warning(
                f"Nobody can sign in by OpenID Connect: {', '.join(settings.OIDC.missing)} is not set.",
                hint="Set all four of OIDC_NAME, OIDC_SERVER_URL, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, or none.",
                id="mahjong_site.W002",
            )
        )
    if settings.OIDC.usable and not settings.OIDC.server_url.startswith("https://"):
        problems.append(
            Warning(
                "OIDC_SERVER_URL is no https address: whoever is on the way can sign in as anybody.",
                id="mahjong_site.W003",
            )
        )
    return problems


@register(Tags.security, deploy=True)
def hosts_can_be_asked_for(app_configs: Any, **options: Any) -> list[CheckMessage]:
    """No request asks for a host with ``https://`` or a port; and ``*`` takes whatever it asks for."""
    problems: list[CheckMessage] = [
        Warning(
            f"ALLOWED_HOSTS has “{host}”, and no request asks for that: a name stands there alone, "
            "without https://, port or path, and with letters beyond a to z as browsers send them (xn--…).",
            hint=f"Write {_name_alone(host)}.",
            id="mahjong_site.W004",
        )
        for host in _hosts()
        if not HOST.fullmatch(host)
    ]
    if EVERY_HOST in settings.ALLOWED_HOSTS:
        problems.append(
            Warning(
                "ALLOWED_HOSTS has “*”: the site answers to every name, also to one that somebody else "
                "has made for it.",
                hint="Write the names by which people reach the site.",
                id="mahjong_site.W005",
            )
        )
    return problems


@register(Tags.security, deploy=True)
def addresses_fit(app_configs: Any, **options: Any) -> list[CheckMessage]:
    """The site answers at the address that it names, and links in mails lead somewhere."""
    problems: list[CheckMessage] = []
    # What is only written in a wrong way has its own warning.
    hosts = [_name_alone(host) for host in _hosts()]
    origins = [name for name in map(_name_of, settings.CSRF_TRUSTED_ORIGINS) if name]
    every = EVERY_HOST in settings.ALLOWED_HOSTS
    if origins and not every and not any(_fits(name, hosts) for name in origins):
        problems.append(
            Warning(
                f"No host of ALLOWED_HOSTS ({', '.join(hosts)}) is that of an address in "
                f"CSRF_TRUSTED_ORIGINS ({', '.join(settings.CSRF_TRUSTED_ORIGINS)}): whoever goes there "
                "is refused.",
                hint="Name the address of the site in both.",
                id="mahjong_site.W006",
            )
        )
    if not settings.SITE_URL.lower().startswith(("https://", "http://")):
        problems.append(
            Warning(
                f"SITE_URL is “{settings.SITE_URL}”, without https:// or http://: links in mails lead "
                "nowhere.",
                hint=f"Write https://{_name_alone(settings.SITE_URL)}.",
                id="mahjong_site.W007",
            )
        )
    return problems


@register(Tags.database)
def takes_every_character(
    app_configs: Any, databases: Sequence[str] | None = None, **options: Any
) -> list[CheckMessage]:
    """PostgreSQL keeps names in whatever encoding its server was set up with: ours need every character.

    A new database is refused. A club that has played on one goes on.
    """
    problems: list[CheckMessage] = []
    for alias in databases or ():
        if connections[alias].vendor != "postgresql":
            continue
        with connections[alias].cursor() as cursor:
            cursor.execute("SHOW server_encoding")
            [encoding] = cursor.fetchone()
        if encoding == UTF8:
            continue
        message = f"The database has the encoding {encoding}: it cannot keep every name."
        make = "createdb --encoding=UTF8 --template=template0 NAME"
        if not MigrationRecorder(connections[alias]).has_table():
            problems.append(
                Error(message, hint=f"Make another one: {make}.", id="mahjong_site.E001")
            )
        else:
            hint = f"Move the club: export, {make}, migrate and import there."
            problems.append(Warning(message, hint=hint, id="mahjong_site.W008"))
    return problems


def _hosts() -> list[str]:
    """The entries of ``ALLOWED_HOSTS`` that are to name one host, or those of a domain."""
    return [host for host in settings.ALLOWED_HOSTS if host and host != EVERY_HOST]


def _name_alone(host: str) -> str:
    """``host`` without what is none of its name, as browsers send it.

    >>> _name_alone("https://club.example:443/"), _name_alone("*.club.example"), _name_alone("::1")
    ('club.example', '.club.example', '[::1]')
    >>> _name_alone("müller.example")
    'xn--mller-kva.example'
    """
    name = re.sub(r"^[a-z]+:/*", "", host, flags=re.IGNORECASE) if "/" in host else host
    name = name.partition("/")[0].removeprefix("*")
    if name.count(":") > 1 and not name.startswith("["):
        return f"[{name}]"
    return _sent(re.sub(r":\d*$", "", name))


# Python knows the rules of 2003, by which these are other letters.
NEW_IN_2008 = frozenset("ßς")


def _sent(name: str) -> str:
    """The host ``name`` as browsers send it: its letters beyond a to z in Punycode."""
    try:
        return name if name.isascii() or NEW_IN_2008 & {*name} else name.encode("idna").decode()
    except UnicodeError:
        return name


def _name_of(origin: str) -> str:
    """The host of an address, empty if it has none; ``.club.example`` of ``https://*.club.example``."""
    try:
        return (urlsplit(origin).hostname or "").removeprefix("*")
    except ValueError:
        return ""


def _fits(name: str, hosts: list[str]) -> bool:
    """Whether a request for ``name``, or for one below it where it begins with a dot, is answered."""
    name = f"[{name}]" if ":" in name else name
    if name.startswith("."):
        return any(validate_host(host.removeprefix("."), [name]) for host in hosts)
    return validate_host(name, hosts)
