"""By which address the site was opened."""

from ipaddress import ip_address

from django import template
from django.http.request import split_domain_port
from django.template import Context

register = template.Library()


@register.simple_tag(takes_context=True)
def own_host(context: Context) -> str:
    """The host of a page that was opened on the server itself, where phones find nothing; else empty."""
    host = context["request"].get_host()
    name, _port = split_domain_port(host)
    return host if _is_loopback(name.strip("[]")) else ""


def _is_loopback(name: str) -> bool:
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return False
