"""nginx with ``proxy_cache`` before the production server: nobody reads what was made for another."""

import re
from contextlib import closing
from http.client import HTTPConnection
from io import BytesIO
from json import loads
from zipfile import ZipFile

import pytest

from tests.load import nginx
from tests.load.club import serving
from tests.load.server import HOST
from tests.support.skips import cannot_run

# New each time: what a form is sent with, when the page was made, in milliseconds, and how long ago
# something was.
NEW_EACH_TIME = re.compile(rb'(?<=")(\w{32,64}|\d{13})(?=")|(?<=">)(just now|[^<]* ago)(?=</time>)')
STRANGER = "a stranger"


@pytest.fixture
def cache(site, tmp_path):
    """``cache(path, headers, number)`` asks a site through one of many empty caches.

    Number 0 is none of them: the site itself answers.
    """
    if nginx.program() is None:
        cannot_run("No nginx was found. On Debian: apt install nginx")
    folder = tmp_path / "nginx"
    folder.mkdir()
    with serving(site) as server, nginx.cache_before(server.port, folder) as port:

        def asked(path, headers, number=0):
            where = port if number else server.port
            with closing(HTTPConnection(HOST, where, timeout=30)) as connection:
                sent = {**headers, "Host": HOST, "X-Cache": str(number)}
                connection.request("GET", path, headers=sent)
                response = connection.getresponse()
                body = NEW_EACH_TIME.sub(b"", unpacked(response.read()))
            return response.headers.get("X-Cache"), (response.status, body)

        yield asked


def unpacked(body):
    """What a workbook holds but for when it was made; any other body as it is."""
    if not body.startswith(b"PK"):
        return body
    with ZipFile(BytesIO(body)) as workbook:
        return b"".join(
            workbook.read(name) for name in workbook.namelist() if "docProps" not in name
        )


@pytest.mark.thorough
@pytest.mark.sqlite
def test_whoever_asks_a_cache_reads_their_own_page(site, cache):
    """In either order, twice each; and what the cache has kept is what strangers are told."""
    call = "from tests.secret_league import tell; tell()"
    measured = loads(site.must("shell", "--verbosity", "0", "-c", call))
    readers, wrong = measured["readers"], []
    for path in measured["addresses"]:
        direct = {who: cache(path, sent)[1] for who, sent in readers.items()}
        assert b"Secret" not in direct[STRANGER][1], path
        orders = [list(readers)[::-1], list(readers)]
        for number, order in enumerate(orders, start=1):
            for who in (*order, *order):
                cached, answer = cache(path, readers[who], number)
                if answer != direct[who] or (cached == "HIT" and answer != direct[STRANGER]):
                    wrong.append(f"{path}: {who}, cache {number}, {cached}")
    assert wrong == []
    # It is a cache, and it keeps what is everybody's.
    assert [cache("/api/v1/rulesets/", {}, 3)[0] for _time in range(2)] == ["MISS", "HIT"]
