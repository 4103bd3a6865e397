"""What ``check --deploy`` finds besides Django's own checks."""

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
