"""Requests that wait for a stuck database leave room for the others, and for who asks how it is."""

from threading import Barrier, Event, Thread

import pytest
from django.http import HttpResponse
from django.test import RequestFactory

from mahjong_site import admission
from mahjong_site.admission import Admission

requests = RequestFactory()


@pytest.fixture
def stuck(settings, monkeypatch):
    """``stuck(method, number)`` are so many requests that do not come to an end until the test does."""
    settings.REQUESTS_AT_ONCE, settings.WRITES_AT_ONCE = 4, 2
    monkeypatch.setattr(admission, "PATIENCE", 0.02)
    over, threads = Event(), []

    def view(request):
        if "hang" in request.GET:
            inside.wait(timeout=20)
            over.wait(timeout=60)
        return HttpResponse()

    site = Admission(view)

    def stuck(method, number):
        nonlocal inside
        inside = Barrier(number + 1)
        for _request in range(number):
            request = getattr(requests, method)("/?hang", QUERY_STRING="hang=1")
            threads.append(Thread(target=site, args=[request]))
            threads[-1].start()
        inside.wait(timeout=20)
        return site

    inside = Barrier(1)
    yield stuck
    over.set()
    for thread in threads:
        thread.join()


def test_readers_are_admitted_while_all_writers_are_stuck(stuck):
    site = stuck("post", 2)
    assert site(requests.get("/")).status_code == 200
    refused = site(requests.post("/"))
    assert refused.status_code == 503
    assert int(refused["Retry-After"]) > 0
    assert "kept on this phone" in refused.content.decode()


@pytest.mark.parametrize(
    "path",
    ["/games/1/preview/", "/hands/1/correct/preview/", "/nowhere/", "/api/v1/score/",
     "/api/v1/hands/1/correct/preview/", "/api/v1/hands/1/void/preview/",
     "/api/v1/hands/1/restore/preview/"],
)  # fmt: skip
def test_what_saves_nothing_is_let_in_while_all_who_write_are_stuck(stuck, path):
    """A pad at another table goes on saying what a hand scores."""
    assert stuck("post", 2)(requests.post(path)).status_code == 200


@pytest.mark.parametrize(
    "path",
    ["/games/1/hands/", "/hands/1/correct/", "/sign-in/", "/admin/auth/user/", "/api/v1/token/",
     "/api/v1/games/1/hands/", "/api/v1/games/1/seats/", "/api/v1/hands/1/correct/"],
)  # fmt: skip
def test_what_may_save_waits_for_its_place(stuck, path):
    assert stuck("post", 2)(requests.post(path)).status_code == 503


def test_health_is_answered_while_all_requests_are_stuck(stuck):
    site = stuck("get", 4)
    assert site(requests.get("/healthz")).status_code == 200
    assert site(requests.get("/")).status_code == 503
    problem = site(requests.post("/api/v1/games/1/hands/"))
    assert problem["Content-Type"] == "application/problem+json"


def test_a_waiting_request_is_admitted_when_another_ends(settings, monkeypatch):
    settings.REQUESTS_AT_ONCE = settings.WRITES_AT_ONCE = 1
    monkeypatch.setattr(admission, "PATIENCE", 20)
    begun, over = Event(), Event()

    def view(request):
        if request.method == "GET":
            begun.set()
            over.wait(timeout=20)
        return HttpResponse()

    site, answers = Admission(view), []
    threads = [
        Thread(target=lambda: answers.append(site(requests.get("/")))),
        Thread(target=lambda: answers.append(site(requests.post("/")))),
    ]
    threads[0].start()
    begun.wait(timeout=20)
    threads[1].start()
    over.set()
    for thread in threads:
        thread.join()
    assert [answer.status_code for answer in answers] == [200, 200]
