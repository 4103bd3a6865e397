"""Checks of ``check --deploy`` besides Django's own."""

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Tags, Warning, register


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
