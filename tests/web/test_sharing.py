"""What a messenger shows of a link to a hand: words, and a picture of its tiles."""

import re
import struct

import pytest
from django.urls import reverse

from scoring.models import League
from scoring.web.hand.picture import draw
from tests.factories import make_game, make_hand, make_league

pytestmark = pytest.mark.django_db
ORPHANS = "19B 19C 19D ESWNRGWhWh"


@pytest.fixture
def win(organiser):
    return make_hand(make_game(), winner=1, by=organiser)


def shared(client, hand) -> dict[str, str]:
    page = client.get(hand.get_absolute_url()).content.decode()
    return dict(re.findall(r'<meta property="og:([\w:]+)" content="([^"]*)">', page))


def picture(client, hand):
    return client.get(reverse("hand_picture", args=[hand.pk]))


class TestWords:
    def test_words_to_share_of_a_win_say_who_and_how_much(self, client, win):
        words = shared(client, win)
        assert words["title"] == f"{win.winner} wins 70"
        assert win.game.league.name in words["description"]
        assert words["url"] == f"http://testserver{win.get_absolute_url()}"
        assert words["image"] == f"http://testserver{reverse('hand_picture', args=[win.pk])}"

    def test_words_to_share_of_a_drawn_hand_have_no_picture(self, client, organiser):
        drawn = make_hand(make_game(), by=organiser)
        words = shared(client, drawn)
        assert words["title"] == "Hand 1: drawn"
        assert "image" not in words


class TestPicture:
    def test_the_picture_to_share_is_a_png_of_the_size_that_is_promised(self, client, win):
        answer = picture(client, win)
        assert answer.headers["Content-Type"] == "image/png"
        assert answer.content.startswith(b"\x89PNG\r\n\x1a\n")
        assert struct.unpack(">II", answer.content[16:24]) == (1200, 630)

    def test_the_picture_to_share_is_revalidated_each_time_and_gone_with_its_league(
        self, client, win
    ):
        first = picture(client, win)
        assert first.headers["Cache-Control"] == "private, no-cache"
        kept = {"If-None-Match": first.headers["ETag"]}
        address = reverse("hand_picture", args=[win.pk])
        assert client.get(address, headers=kept).status_code == 304
        League.objects.update(visibility=League.Visibility.MEMBERS)
        assert client.get(address, headers=kept).status_code == 404

    def test_the_picture_to_share_shows_the_score(self, client, win):
        again = picture(client, win).content
        assert again == picture(client, win).content
        sets = tuple(tuple(shown_set["tiles"]) for shown_set in win.card["sets"])
        assert again == draw(sets, 70) != draw(sets, 80)

    def test_the_picture_to_share_of_thirteen_orphans_shows_them_without_sets(
        self, client, organiser
    ):
        hand = make_hand(make_game(), winner=1, by=organiser, tiles=ORPHANS)
        assert picture(client, hand).status_code == 200

    def test_a_drawn_hand_and_a_score_without_tiles_have_no_picture_to_share(
        self, client, organiser
    ):
        game = make_game()
        hands = [
            make_hand(game, by=organiser),
            make_hand(game, winner=1, by=organiser, tiles="", claimed_final=70),
        ]
        assert [picture(client, hand).status_code for hand in hands] == [404, 404]

    def test_the_picture_to_share_of_a_members_league_is_for_members(self, client, organiser):
        hand = make_hand(
            make_game(league=make_league(visibility="members")), winner=1, by=organiser
        )
        assert picture(client, hand).status_code == 404
        client.force_login(organiser)
        assert picture(client, hand).status_code == 200


def test_pages_to_share_have_a_link_to_themselves_without_a_script(client, win):
    pages = ["/hall/", win.game.league.get_absolute_url(), win.winner.get_absolute_url()]
    for address in pages:
        page = client.get(address).content.decode()
        assert f'href="{address}" data-share-link' in page
        assert page.count("data-link-copied") == 1
