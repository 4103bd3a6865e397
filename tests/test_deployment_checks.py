"""``check --deploy`` warns of addresses with which nobody could use the site."""

from dataclasses import replace

import pytest
from django.core.checks import Tags, run_checks

ORIGIN = "https://club.example"


@pytest.fixture
def warnings(settings):
    """``warnings(hosts, origins=…, site_url=…)``: the ids and the words of our own warnings."""

    def warnings(hosts, origins=(ORIGIN,), site_url=ORIGIN):
        settings.ALLOWED_HOSTS, settings.CSRF_TRUSTED_ORIGINS = hosts, list(origins)
        settings.SITE_URL = site_url
        found = run_checks(tags=[Tags.security], include_deployment_checks=True)
        return {one.id: f"{one.msg} {one.hint}" for one in found if one.id.startswith("mahjong")}

    return warnings


@pytest.mark.parametrize(
    ("host", "meant"),
    [
        ("https://club.example", "club.example"),
        ("http:club.example/", "club.example"),
        ("club.example:443", "club.example"),
        ("club.example/league", "club.example"),
        ("*.club.example", ".club.example"),
        ("::1", "[::1]"),
        ("[::1]:8000", "[::1]"),
        ("müller.example", "xn--mller-kva.example"),
    ],
)
def test_a_host_that_no_request_asks_for_is_named_with_what_is_meant(warnings, host, meant):
    found = warnings([host, "club.example"])
    assert [*found] == ["mahjong_site.W004"]
    assert f"“{host}”" in found["mahjong_site.W004"]
    assert found["mahjong_site.W004"].endswith(f"Write {meant}.")


def test_a_half_filled_sign_in_by_another_server_is_named(warnings, settings):
    server = {"name": "The Cloud", "server_url": "https://id.example", "client_id": "club"}
    settings.OIDC = replace(settings.OIDC, **server, client_secret="")
    assert "OIDC_CLIENT_SECRET is not set" in warnings(["club.example"])["mahjong_site.W002"]
    settings.OIDC = replace(settings.OIDC, client_secret="secret", server_url="http://id.example")
    assert [*warnings(["club.example"])] == ["mahjong_site.W003"]


@pytest.mark.parametrize("hosts", [["https://club.example"], ["club.example:443"]])
def test_a_host_that_is_only_written_wrongly_has_one_warning(warnings, hosts):
    assert [*warnings(hosts)] == ["mahjong_site.W004"]


def test_a_site_that_answers_to_every_name_is_named(warnings):
    assert [*warnings(["*"])] == ["mahjong_site.W005"]


@pytest.mark.parametrize(
    ("hosts", "origins"),
    [
        (["other.example"], [ORIGIN]),
        (["localhost", "127.0.0.1", "[::1]"], [ORIGIN]),
        (["club.example"], ["https://*.club.example.org"]),
        (["xn--mller-kva.example"], ["https://müller.example"]),
    ],
)
def test_hosts_that_fit_no_address_of_the_site_are_named(warnings, hosts, origins):
    found = warnings(hosts, origins)
    assert [*found] == ["mahjong_site.W006"]
    assert f"({hosts[0]}" in found["mahjong_site.W006"]
    assert origins[0] in found["mahjong_site.W006"]


def test_a_site_url_without_a_scheme_is_named(warnings):
    found = warnings(["club.example"], site_url="club.example")
    assert [*found] == ["mahjong_site.W007"]
    assert "Write https://club.example." in found["mahjong_site.W007"]


@pytest.mark.parametrize(
    ("hosts", "origins"),
    [
        (["club.example"], [ORIGIN]),
        (["CLUB.example"], [ORIGIN]),
        ([".club.example", "localhost"], ["https://www.club.example:8443"]),
        (["www.club.example"], ["https://*.club.example"]),
        (["club.example", "old.example"], [ORIGIN, "https://www.club.example"]),
        (["[::1]"], ["http://[::1]:8000"]),
        (["club.example"], []),
        (["club.example", ""], ["https://club.example/", "no address", "https://["]),
    ],
)
def test_addresses_that_fit_are_not_named(warnings, hosts, origins):
    assert warnings(hosts, origins) == {}
