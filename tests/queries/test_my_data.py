"""What the file with everything about a person has of their player."""

import pytest
from django.apps import apps

from scoring.models import ClubRating, ClubTally, Player
from scoring.queries.my_data import PLAYER_COLUMNS, my_data
from scoring.services.standing_rules import change_standing_rules
from tests.factories import make_game, make_member, make_player

# The account has a part of its own, and nobody who is anonymous has one. Of a PIN the file says only
# whether there is one.
IN_THE_FILE = {
    "ClubRating.player",
    "ClubTally.player",
    "EveningPayment.payee",
    "EveningPayment.payer",
    "FinalRow.player",
    "GuestClaim.player",
    "Hand.winner",
    "HandEvent.player",
    "Invitation.player",
    "Payment.player",
    "Rating.player",
    "Seat.player",
    "Tally.player",
    "Transfer.payee",
    "Transfer.payer",
}
# Of each hand, who dealt, discarded and was liable; sums that say what the hands say; and who waits: for an
# organiser's answer, or at a table.
NOT_IN_THE_FILE = {
    "Hand.dealer",
    "Hand.discarder",
    "Hand.liable",
    "InvitationUse.claim",
    "StorySum.player",
    "WaitingSeat.player",
}
ELSEWHERE = {"user", "anonymous_since", "pin"}


def test_every_column_of_a_player_is_in_the_file_or_is_named_here():
    columns = {field.name for field in Player._meta.local_fields}
    assert columns - ELSEWHERE == set(PLAYER_COLUMNS.values())


def test_whatever_names_a_player_is_in_the_file_or_is_named_here():
    names = {
        f"{model.__name__}.{field.name}"
        for model in apps.get_app_config("scoring").get_models()
        for field in model._meta.local_fields
        if field.related_model is Player
    }
    assert names == IN_THE_FILE | NOT_IN_THE_FILE


@pytest.mark.django_db
def test_the_file_of_a_player_has_ratings_across_leagues_and_rules_that_name_them(organiser):
    game = make_game(by=organiser)
    player = game.players[0]
    member = make_member(player=player)
    ClubRating.objects.create(game=game, player=player, mu=26, sigma=5)
    ClubTally.objects.create(player=player, games=1, mu=26, sigma=5)
    tables = [
        {
            "name": "Teams",
            "handicap": {"players": [{"player": player.pk, "points": 20}], "per": "game"},
            "teams": [{"name": "Winds", "players": [player.pk]}],
        }
    ]
    day = game.league.starts_on
    change_standing_rules(game.league, tables, effective_from=day, by=organiser)
    written = my_data(member)["player"]
    assert written["ratings_across_leagues"] == [{"game": game.pk, "rating": 1024}]
    assert written["rating_across_leagues_now"] == [{"games": 1, "rating": 1024}]
    assert written["standing_rules"] == [
        {
            "league": game.league.name,
            "from": day,
            "table": "Teams",
            "handicap": ["20"],
            "teams": ["Winds"],
        }
    ]


@pytest.mark.django_db
def test_the_file_has_what_the_columns_hold():
    member = make_member(player=make_player("Zoë"))
    written = my_data(member)["player"]
    player = Player.objects.get(user=member)
    assert {key: written[key] for key in PLAYER_COLUMNS} == {
        key: getattr(player, column) for key, column in PLAYER_COLUMNS.items()
    }
