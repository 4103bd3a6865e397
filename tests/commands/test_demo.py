"""``manage.py demo``: fills an empty club, leaves any other alone, and tells the accounts."""

import re
from io import StringIO

import pytest
from django.contrib.auth import get_user
from django.core.management import CommandError, call_command
from django.urls import reverse

from scoring.demo.size import holdings
from scoring.models import Hand, Player
from tests.factories import make_player

pytestmark = pytest.mark.django_db

SMALL = ("--hands", "20", "--players", "5", "--leagues", "1")


class Terminal(StringIO):
    def isatty(self):
        return True


@pytest.fixture
def demo(capsys):
    """``demo(arguments …)``: what it printed."""

    def demo(*arguments, **options):
        call_command("demo", *arguments, **options)
        return capsys.readouterr().out

    return demo


def printed_accounts(out):
    return re.findall(r"(demo-\S+) +(\S+)$", out, re.MULTILINE)


class TestAnEmptyClub:
    def test_an_empty_club_is_filled(self, demo):
        out = demo(*SMALL)
        assert holdings() == {"players": 5, "leagues": 1, "hands": 20}
        assert "Players: 5. Leagues: 1." in out
        assert "Hands: 20, drawn" in out

    def test_an_empty_club_shows_how_far_the_filling_is(self, demo):
        out = demo(*SMALL)
        assert [line for line in out.splitlines() if line.startswith("Played")] == [
            f"Played {number} of 20 hands." for number in (4, 8, 12, 16, 20)
        ]

    def test_an_empty_club_is_filled_silently_when_quiet(self, demo):
        assert "Played" not in demo(*SMALL, verbosity=0)

    def test_a_terminal_shows_a_bar_while_the_demo_is_filled(self, demo):
        out = demo(*SMALL, stdout=Terminal())
        assert "20/20" in out
        assert "Played" not in out

    def test_the_demo_prints_accounts_that_work(self, demo, client):
        accounts = printed_accounts(demo(*SMALL))
        assert len(accounts) == 5
        for username, password in accounts:
            client.post(reverse("sign_in"), {"username": username, "password": password})
            assert get_user(client).username == username
            client.logout()

    def test_the_demo_follows_its_seed(self, demo):
        for _time in range(2):
            demo(*SMALL, "--seed", "9", "--add")
        tiles = list(Hand.objects.order_by("pk").values_list("tiles", flat=True))
        assert tiles[:20] == tiles[20:]


class TestAClubThatHoldsSomething:
    def test_a_club_that_holds_something_is_left_as_it_is(self, demo):
        make_player("Ada")
        with pytest.raises(
            CommandError, match=r"not empty.*players: 1, leagues: 0, hands: 0.*--add"
        ):
            demo(*SMALL)
        assert Player.objects.count() == 1

    def test_a_club_that_holds_something_is_not_filled_a_second_time(self, demo):
        demo(*SMALL)
        with pytest.raises(CommandError, match="left as it is"):
            demo(*SMALL)
        assert Hand.objects.count() == 20

    def test_a_club_that_holds_something_is_added_to_when_asked(self, demo):
        make_player("Ada")
        demo(*SMALL, "--add")
        assert holdings() == {"players": 6, "leagues": 1, "hands": 20}

    def test_a_club_that_holds_something_may_be_passed_over_in_silence(self, demo):
        make_player("Ada")
        assert demo(*SMALL, "--if-empty") == ""
        assert Player.objects.count() == 1

    def test_a_club_that_holds_a_demo_prints_its_accounts_again(self, demo):
        accounts = printed_accounts(demo(*SMALL, "--if-empty"))
        again = demo(*SMALL, "--if-empty")
        assert printed_accounts(again) == accounts
        assert "Players:" not in again
        assert printed_accounts(demo("--sign-ins")) == accounts
        assert Hand.objects.count() == 20


def test_a_club_without_a_demo_has_no_demo_accounts(demo):
    with pytest.raises(CommandError, match="no demo accounts"):
        demo("--sign-ins")


@pytest.mark.parametrize(
    ("arguments", "way_out"),
    [
        (("--players", "3"), "--players: A table needs four players: ask for 4 to 1000."),
        (("--hands", "0"), "--hands: A demo plays at least one hand."),
        (("--hands", "-5"), "--hands: A demo plays at least one hand."),
        (("--leagues", "0"), "--leagues: Games belong to a league: ask for 1 to 20."),
    ],
)
def test_an_impossible_demo_is_refused_with_the_way_out(demo, arguments, way_out):
    with pytest.raises(CommandError, match=re.escape(way_out)) as error:
        demo(*arguments)
    assert error.value.returncode == 2
    assert not holdings()


def test_every_impossible_option_of_a_demo_is_named_at_once(demo):
    with pytest.raises(CommandError) as error:
        demo("--players", "1", "--hands", "0")
    assert [line.split(":")[0] for line in str(error.value).splitlines()] == [
        "--hands",
        "--players",
    ]


def test_ctrl_c_leaves_the_club_as_it_was(demo):
    class Interrupted(StringIO):
        def write(self, text):
            raise KeyboardInterrupt

    with pytest.raises(CommandError, match="as it was"):
        demo(*SMALL, stdout=Interrupted())
    assert not holdings()


def test_a_word_for_a_number_is_refused(demo):
    with pytest.raises(CommandError, match="--hands"):
        demo("--hands", "many")
