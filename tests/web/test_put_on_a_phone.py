"""The site as an app: its manifest, its worker, and what the worker keeps."""

import re
from pathlib import Path, PurePosixPath
from posixpath import normpath

import pytest
from django.contrib.staticfiles.finders import find

from scoring.web.offline.precache import FILES, SCRIPTS

IMPORT = re.compile(r"^(?:import|export)\b[^;]*?[\"'](\.\.?/[\w/-]+)\.js[\"'];", re.MULTILINE)

pytestmark = pytest.mark.django_db


def imported_by(name: str) -> set[str]:
    """The names of the scripts that the script ``name`` imports, and what those import."""
    names, next_ones = set(), {name}
    while next_ones:
        name = next_ones.pop()
        names.add(name)
        folder = PurePosixPath(name).parent
        imported = IMPORT.findall(Path(find(f"scoring/{name}.js")).read_text())
        next_ones |= {normpath(folder / other) for other in imported} - names
    return names


def test_a_phone_finds_name_icons_and_where_to_start(client, settings):
    settings.SITE_NAME = "The Bamboo Room"
    response = client.get("/manifest.webmanifest")
    assert response["Content-Type"] == "application/manifest+json"
    manifest = response.json()
    assert (manifest["name"], manifest["start_url"], manifest["scope"]) == (
        "The Bamboo Room",
        "/",
        "/",
    )
    assert {icon["sizes"] for icon in manifest["icons"]} == {"any", "192x192", "512x512"}
    for icon in manifest["icons"]:
        assert find(icon["src"].removeprefix("/static/")), icon


def test_every_page_leads_to_the_manifest(client):
    assert '<link rel="manifest" href="/manifest.webmanifest">' in client.get("/").content.decode()


def test_the_worker_answers_for_the_whole_site_and_is_never_stale(client):
    response = client.get("/worker.js")
    assert response["Content-Type"] == "text/javascript"
    assert response["Cache-Control"] == "no-cache"


def test_the_worker_keeps_the_scripts_of_the_table_and_no_other_script():
    assert set(SCRIPTS.split()) == imported_by("table/table")


def test_every_file_that_the_worker_keeps_is_there(client):
    missing = [name for name in FILES if not find(name)]
    assert missing == []
    worker = client.get("/worker.js").content.decode()
    assert all(f'"/static/{name}"' in worker for name in FILES)


def test_the_page_without_a_network_knows_nobody(client, admin_client):
    text = admin_client.get("/offline/").content.decode()
    assert "admin" not in text
    assert 'data-user=""' in text
    assert "No network" in text
