"""Entries as no person and no program of ours would send them: refused in words, or a hand after all.

Whatever is changed in a good entry, each entry point answers with a status of 2xx, or with one of 4xx that names
the field and says what to do; what is refused leaves nothing behind. ``GARBLED`` in the environment
says how many entries each entry point gets.
"""

import json
import os
from random import Random

import pytest
from django.core.cache import cache
from django.db import transaction
from django.test import Client
from rest_framework.throttling import ScopedRateThrottle

from scoring.models import AuditEntry, Game, Hand, IdempotencyKey, Payment, Tally
from tests.factories import BOOK_CODES, BOOK_HAND, make_hand, make_member, make_token
from tests.support.effort import tries

# PostgreSQL refuses characters that SQLite takes.
pytestmark = [
    pytest.mark.django_db, pytest.mark.sqlite, pytest.mark.postgresql, pytest.mark.slow
]  # fmt: skip

GARBLED = int(os.environ.get("GARBLED") or tries(25, 40))
KEPT = (Game, Hand, Payment, Tally, IdempotencyKey, AuditEntry)

HANDS = (
    BOOK_HAND,
    "222B* 345B 55B 222D GGG",
    "2222B# 345B 55B 222D GGG",
    "EEEE SSS WWW NNN 55B",
    "1B 9B 1C 9C 1D 9D E S W N R G Wh Wh",
    "WhWhWh 111222333B RR",
)
MELDS = (["222B*"], [["2B", "2B", "2B"]], [{"tiles": "222B", "concealed": True}], ["345B", "GGG*"])
# What notation is made of; and digits, letters and signs that only look like it, or like nothing.
LETTERS = (
    "123456789BCDESWNRGWh*# ,;.-_/\\()[]{}\"'<>&%\t\n\0"
    "0bcdeswnrgX１２Ｂ①²٣ßİıé€東南🀀🀄👨‍👩‍👧\u200b\u202e\ufeff\ufffd"
)
ODD = (
    *(None, True, False, 0, 1, -1, 14, 10**9, 2**31, 2**63, 2**64, -(2**63) - 1, 10**40),
    *(0.5, 1e300, float("inf"), float("nan")),
    *(
        "",
        " ",
        "0",
        "-0",
        "1e3",
        "nan",
        "null",
        "true",
        "draw",
        "win",
        "self",
        "2B",
        "\0",
        "\ud800",
    ),
    *("E", "east", "Ｅ", "a" * 401, "2B " * 200, "9" * 5000, "<script>", "%s %(x)s {0}", "club"),
    *([], [[]], [None], [1], ["2B"], ["2B"] * 14, ["2B"] * 41, [["2B"] * 3], [{}], BOOK_CODES),
    *({}, {"tiles": None}, {"tiles": "222B"}, {"concealed": 1}, {"": ""}, {"a": {"b": [{}]}}),
    *([{"tiles": ["2B"] * 50}], [{"tiles": "222B", "concealed": "no"}], ["222B"] * 11),
)


def garbled_text(text: str, rng: Random) -> str:
    """``text`` with one to four slips: letters lost, doubled, swapped, mistyped, put where none were."""
    for _slip in range(rng.randint(1, 4)):
        start = rng.randint(0, len(text))
        end = min(len(text), start + rng.choice((0, 1, 1, 2, 5)))
        between = rng.choice(
            (
                "",
                rng.choice(LETTERS),
                "".join(rng.choices(LETTERS, k=3)),
                2 * text[start:end],
                text[start:end][::-1],
                text[start:end].swapcase(),
                rng.choice(HANDS),
            )
        )
        text = text[:start] + between + text[end:]
    return text


def garbled_body(body: dict, rng: Random) -> object:
    """``body`` with one or two fields lost, renamed or holding something else; or no such thing."""
    body = dict(body)
    for _slip in range(rng.randint(1, 2)):
        name = rng.choice(sorted(body) or ["tiles"])
        match rng.randrange(8):
            case 0:
                body.pop(name, None)
            case 1:
                body[garbled_text(name, rng)] = body.pop(name, None)
            case 2:
                body[rng.choice(("melds", "concealed", "self_drawn", "claimed_final"))] = (
                    rng.choice((*ODD, *MELDS))
                )
            case 3 | 4 if isinstance(body.get(name), str):
                body[name] = garbled_text(body[name], rng)
            case 5 if rng.random() < 0.3:
                return rng.choice(ODD)
            case _:
                body[name] = rng.choice(ODD)
    return body


def garbled_json(body: dict, rng: Random) -> bytes:
    """A request's body: JSON of something garbled, and sometimes garbled JSON."""
    sent = json.dumps(garbled_body(body, rng)).encode()
    if rng.random() < 0.1:
        at = rng.randint(0, len(sent))
        sent = sent[:at] + rng.choice((b"", b"\xff", b"\x00", b"{", b"[" * 2000)) + sent[at + 1 :]
    return sent


@pytest.fixture(autouse=True)
def _no_throttle(monkeypatch):
    for scope in ScopedRateThrottle.THROTTLE_RATES:
        monkeypatch.setitem(ScopedRateThrottle.THROTTLE_RATES, scope, None)


@pytest.fixture
def scorer(game):
    return make_member(player=game.players[0])


def sources_of_chance(name):
    """A source of chance for each entry, the same in every run."""
    for number in range(GARBLED):
        yield Random(f"{name} {number}")


def stored():
    return {model: list(model.objects.order_by("pk").values()) for model in KEPT}


def answered(send, what):
    """The answer of ``send()``; then all is again as it was. What is refused stores nothing."""
    cache.clear()
    with transaction.atomic():
        before = stored()
        answer = send()
        assert 200 <= answer.status_code < 300 or 400 <= answer.status_code < 500, what
        if answer.status_code >= 400:
            assert stored() == before, what
        transaction.set_rollback(True)
    return answer


def names_the_problem(answer, what):
    """The problem document says in words what is wrong, and in which field of an object."""
    if answer.status_code < 400:
        return
    assert answer["Content-Type"] == "application/problem+json", what
    problem = answer.json()
    assert problem["status"] == answer.status_code
    assert problem["detail"].strip(), what
    assert all(error["message"].strip() for error in problem["errors"]), what
    if answer.status_code == 400 and is_an_object(what):
        assert problem["errors"], what
        assert all(error["field"] for error in problem["errors"]), (what, problem)


def is_an_object(sent):
    """Whether ``sent`` is JSON of whole characters, with fields that a refusal can name."""
    try:
        value = json.loads(sent, parse_constant=no_number)
        json.dumps(value, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict)


def no_number(constant):
    """NaN and Infinity: Python writes them, JSON has none."""
    raise ValueError(constant)


class TestTheApi:
    def send(self, client, address, body):
        """What is answered, and that it is in words if it is a refusal."""
        headers = {"Idempotency-Key": "a key"}
        answer = answered(
            lambda: client.post(address, body, "application/json", headers=headers), body
        )
        names_the_problem(answer, body)
        return answer.status_code

    @pytest.mark.sqlite  # nothing of what is sent goes to the database
    def test_the_api_scores_or_says_why_not_for_any_tiles(self):
        client = Client(raise_request_exception=False)
        statuses = set()
        for rng in sources_of_chance("tiles"):
            body = {"tiles": garbled_text(rng.choice(HANDS), rng), "seat": "S", "prevailing": "E"}
            if rng.random() < 0.2:
                body["melds"] = [garbled_text("222B", rng)]
            statuses.add(self.send(client, "/api/v1/score/", json.dumps(body).encode()))
        assert statuses == {200, 400}

    def test_the_api_scores_or_says_why_not_for_any_body(self):
        client = Client(raise_request_exception=False)
        good = {"seat": "S", "prevailing": "E", "concealed": True, "self_drawn": False}
        statuses = set()
        for rng in sources_of_chance("score"):
            body = {**good, "tiles": rng.choice(HANDS), "ruleset": rng.choice(("club", "book"))}
            statuses.add(self.send(client, "/api/v1/score/", garbled_json(body, rng)))
        assert statuses == {200, 400}

    def test_the_api_logs_or_says_why_not_for_any_body(self, game, scorer):
        client = signed_in(scorer)
        statuses = set()
        for rng in sources_of_chance("log"):
            body = garbled_json(entry_of(game, rng), rng)
            statuses.add(self.send(client, f"/api/v1/games/{game.pk}/hands/", body))
        assert statuses >= {201, 400}

    def test_the_api_corrects_or_says_why_not_for_any_body(self, game, scorer):
        hand = make_hand(game, winner=3, by=scorer)
        client = signed_in(scorer)
        statuses = set()
        for rng in sources_of_chance("correct"):
            body = garbled_json({**entry_of(game, rng), "reason": "A slip"}, rng)
            statuses.add(self.send(client, f"/api/v1/hands/{hand.pk}/correct/", body))
        assert statuses >= {200, 400}


def signed_in(user):
    """A client with the token of ``user`` that can send any bytes."""
    return Client(
        raise_request_exception=False, headers={"Authorization": f"Token {make_token(user)}"}
    )


def entry_of(game, rng):
    """A good entry of the first hand."""
    entry = {
        "number": 1,
        "outcome": "win",
        "winner": game.players[1].pk,
        "tiles": rng.choice(HANDS),
    }
    if rng.random() < 0.5:
        return {**entry, "discarder": game.players[2].pk}
    return {**entry, "self_drawn": True, "concealed": rng.random() < 0.5}


class TestTheForms:
    """Each refusal is the page again, 422 or 409, with the sentences at their fields."""

    @pytest.fixture
    def phone(self, scorer):
        client = Client(raise_request_exception=False)
        client.force_login(scorer)
        return client

    def fields(self, game, rng):
        """What a browser would send for a good hand, garbled; a field can only hold text."""
        good = {
            "number": "1",
            "key": "a key",
            "winner": str(game.players[1].pk),
            "discarder": str(game.players[2].pk),
            "tiles": rng.choice(HANDS),
            "claimed_final": "",
            "reason": "A slip",
            "step": "apply",
        }
        garbled = garbled_body(good, rng)
        sent = garbled if isinstance(garbled, dict) else {"tiles": garbled}
        return {name: as_typed(value) for name, value in sent.items()}

    @pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}], ids=["page", "script"])
    def test_the_forms_log_or_say_why_not(self, game, phone, headers):
        statuses = set()
        for rng in sources_of_chance("form"):
            sent = self.fields(game, rng)
            answer = answered(
                lambda sent=sent: phone.post(f"/games/{game.pk}/hands/", sent, headers=headers, follow=True),
                sent,
            )  # fmt: skip
            statuses.add(answer.status_code)
            if answer.status_code == 422:
                assert answer.context["form"].errors, sent
        assert statuses >= {200, 409, 422}

    def test_the_forms_preview_whatever_is_there(self, game, phone):
        for rng in sources_of_chance("preview"):
            sent = self.fields(game, rng)
            answer = answered(
                lambda sent=sent: phone.post(f"/games/{game.pk}/preview/", sent), sent
            )
            # 400: for a character that no form can send.
            assert answer.status_code in (200, 400, 409, 422)

    def test_the_forms_correct_or_say_why_not(self, game, phone, scorer):
        hand = make_hand(game, winner=3, by=scorer)
        statuses = set()
        for rng in sources_of_chance("correction"):
            sent = self.fields(game, rng)
            answer = answered(
                lambda sent=sent: phone.post(f"/hands/{hand.pk}/correct/", sent, follow=True), sent
            )
            statuses.add(answer.status_code)
        assert statuses >= {200, 422}

    @pytest.mark.sqlite  # nothing of what is sent goes to the database
    def test_the_calculator_scores_or_says_why_not(self):
        client = Client(raise_request_exception=False)
        statuses = set()
        for rng in sources_of_chance("calculator"):
            good = {"tiles": rng.choice(HANDS), "seat": "S", "prevailing": "E", "concealed": "yes"}
            garbled = garbled_body(good, rng)
            sent = garbled if isinstance(garbled, dict) else {"tiles": garbled}
            asked = {name: as_typed(value) for name, value in sent.items()}
            for page in ("", "result/", "think/"):
                answer = answered(
                    lambda page=page, asked=asked: client.get(
                        f"/calculator/{page}", asked, follow=True
                    ),
                    asked,
                )
                statuses.add(answer.status_code)
        assert {200, 422} <= statuses <= {200, 400, 422}


def as_typed(value):
    """What a form would hold of it. No browser sends half a character."""
    return str(value).encode(errors="replace").decode()
