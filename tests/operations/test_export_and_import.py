"""A club is written out and taken in again: the same club, or nothing at all."""

import gzip
import json
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO, StringIO

import pytest
from allauth.mfa.models import Authenticator
from django.apps import apps
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import connection

from scoring.models import AuditEntry, Game, Hand, League, Player, StoryChange, StorySum
from scoring.operations.dump import LEFT_PASSWORD, TransferRefused, export_club, import_club
from scoring.operations.dump.content import MODELS, ROWS_AT_ONCE, VERSION, columns, lists, rows_of
from scoring.operations.dump.read import ClubFile
from scoring.operations.verify import verify
from scoring.services.idempotency import StoredResponse, idempotent
from tests.factories import make_game, make_hand, make_league, make_organiser, make_player
from tests.operations.storied import NAMES, make_storied_club

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("groups_go_on")]

# What stays where it is: sessions, tokens, sign-ins, and what every database makes for itself.
LEFT_OUT = {
    "scoring.firstrun",
    *("sessions.session", "authtoken.token", "authtoken.tokenproxy", "scoring.apitoken"),
    *("account.emailconfirmation", "mfa.authenticator", "usersessions.usersession"),
    "scoring.trycount",
    *("socialaccount.socialaccount", "socialaccount.socialapp", "socialaccount.socialtoken"),
    # Who waits at a table sits down again at the new site.
    "scoring.waitingseat",
    # A link is for the address of one site, and of its code there is only a digest.
    "scoring.invitation",
    *("scoring.delivery", "scoring.pushsubscription"),
    # Worked out at the new site from what travels.
    *("scoring.storysum", "scoring.storychange"),
    *("auth.permission", "contenttypes.contenttype"),
}


def quietly(_total):
    return lambda _more: None


def exported():
    out = BytesIO()
    export_club(out, quietly)
    return out.getvalue()


def stored():
    """All rows, and how many of each model. PostgreSQL gives keys away that no row has: they are left out."""
    header, *rows = exported().splitlines()
    return json.loads(header)["rows"], rows


def taken_in(lines):
    return import_club(lines.splitlines(keepends=True), quietly)


def clear():
    """The database as a new site finds it, but for the keys that it goes on with."""
    for model in (StoryChange, StorySum, *reversed(MODELS)):
        rows = rows_of(model)
        rows.delete() if lists(model) else rows._raw_delete(rows.db)


@pytest.fixture(scope="module")
def storied(shared):
    """The key of the league of a club, and the club as a file."""
    return shared(lambda: (make_storied_club().pk, exported()))


@pytest.fixture
def league(storied):
    return League.objects.get(pk=storied[0])


@pytest.fixture
def club(storied):
    """A club as a file, in front of an empty database."""
    clear()
    return storied[1]


def test_every_model_travels_or_is_left_out_on_purpose():
    travelling = {model._meta.label_lower for model in MODELS}
    assert {model._meta.label_lower for model in apps.get_models()} == travelling | LEFT_OUT
    assert not travelling & LEFT_OUT


def test_each_model_comes_after_those_it_refers_to():
    for position, model in enumerate(MODELS):
        for field in (*columns(model), *lists(model)):
            if field.related_model in MODELS:
                assert field.related_model in MODELS[: position + 1], field


@pytest.mark.slow
class TestThereAndBack:
    def test_no_model_of_the_club_is_without_rows(self, league):
        assert [model for model in MODELS if not rows_of(model).exists()] == []

    def test_an_export_of_an_imported_club_is_the_same_file(self, club):
        rows = taken_in(club)
        assert sum(rows.values()) == club.count(b"\n") - 1
        assert exported() == club

    def test_many_rows_are_the_same_after_export_and_import(self, monkeypatch, club):
        monkeypatch.setattr("scoring.operations.dump.load.ROWS_AT_ONCE", 2)
        taken_in(club)
        assert exported() == club

    def test_every_figure_comes_out_of_an_import_again(self, club):
        taken_in(club)
        assert list(verify()) == []

    def test_people_sign_in_as_ever_and_may_do_what_they_might(self, club):
        taken_in(club)
        organiser = User.objects.get(username="organiser")
        assert organiser.check_password("a password")
        assert organiser.has_perm("scoring.organise_club")
        assert organiser.has_perm("sessions.view_session")

    def test_names_in_an_export_may_hold_anything(self, club):
        taken_in(club)
        assert set(NAMES) <= set(Player.objects.values_list("name", flat=True))

    def test_moments_in_an_export_keep_their_microseconds(self, league):
        before = dict(Hand.objects.values_list("pk", "logged_at"))
        joined = dict(Player.objects.values_list("pk", "joined_at"))
        lines = exported()
        clear()
        taken_in(lines)
        assert dict(Hand.objects.values_list("pk", "logged_at")) == before
        assert dict(Player.objects.values_list("pk", "joined_at")) == joined
        assert any(moment.microsecond % 1000 for moment in before.values())

    def test_nobody_gets_the_number_of_an_account_that_is_gone(self, club):
        taken_in(club)
        numbers = set(AuditEntry.objects.exclude(by=None).values_list("by_id", flat=True))
        newest = User.objects.create_user("newest").pk
        assert newest > max(numbers)

    def test_keys_after_an_import_go_on_after_the_highest_whatever_the_file_says(self, club):
        first, *rest = club.splitlines(keepends=True)
        header = json.loads(first)
        header["last_keys"] = dict.fromkeys(header["last_keys"], 0)
        taken_in(json.dumps(header).encode() + b"\n" + b"".join(rest))
        highest = max(Player.objects.values_list("pk", flat=True))
        assert make_player().pk == highest + 1

    def test_the_club_plays_on(self, club):
        taken_in(club)
        organiser = User.objects.get(username="organiser")
        game = Game.objects.filter(finished_at=None).latest("pk")
        hand = make_hand(game, winner=0, by=organiser)
        assert hand.number == 2
        make_game(league=game.league, players=game.players, by=organiser)
        assert list(verify()) == []

    def test_a_call_that_is_sent_again_is_still_answered_as_before(self, club):
        taken_in(club)
        organiser = User.objects.get(username="organiser")

        def never():
            raise AssertionError

        answer = idempotent(never, by=organiser, key="a key", call="POST", body="{}")
        assert answer.replayed
        assert isinstance(answer, StoredResponse)
        assert answer.status == 201

    def test_an_empty_club_is_a_club(self):
        clear()
        lines = exported()
        taken_in(lines)
        assert exported() == lines

    def test_the_rows_are_read_a_few_at_a_time(self, league, django_assert_max_num_queries):
        """However many there are: queries go with the batches, not with the rows."""
        with django_assert_max_num_queries(4 * len(MODELS) + 10):
            exported()
        assert ROWS_AT_ONCE < 1000


def test_a_pin_stays_where_it_was_set(league):
    Player.objects.update(pin="a hash")
    lines = exported()
    assert b"a hash" not in lines
    clear()
    taken_in(lines)
    assert not Player.objects.exclude(pin="").exists()


def test_a_second_factor_stays_and_no_password_is_enough_without_it(league, tmp_path):
    careful = User.objects.get(username="organiser")
    Authenticator.objects.create(user=careful, type=Authenticator.Type.TOTP, data={})
    file = exported()
    assert careful.password.encode() not in file
    Authenticator.objects.all().delete()
    clear()
    taken_in(file)
    careful.refresh_from_db()
    assert careful.password == LEFT_PASSWORD
    assert not careful.check_password("a password")
    out = StringIO()
    clear()
    path = tmp_path / "club.jsonl"
    path.write_bytes(file)
    call_command("import", path, stdout=out)
    assert "Accounts without a password: 1 (organiser)." in out.getvalue()


class TestNotEmpty:
    @pytest.mark.parametrize("make", [make_player, make_organiser, make_league])
    def test_a_club_that_holds_anything_is_left_alone(self, club, make):
        make()
        before = exported()
        with pytest.raises(TransferRefused, match="There is a club in this database"):
            taken_in(club)
        assert exported() == before

    def test_what_every_new_database_holds_is_no_club(self, club):
        from scoring.services.rulesets import install_rulesets

        install_rulesets()
        taken_in(club)
        assert exported() == club


def change(lines, number, /, **changes):
    """``lines`` with other fields in line ``number``, counted from 1."""
    rows = lines.splitlines(keepends=True)
    line = json.loads(rows[number - 1])
    line["fields"] |= changes
    rows[number - 1] = json.dumps(line).encode() + b"\n"
    return b"".join(rows)


def line_of(lines, label, nth=1):
    """The number of the ``nth`` line with a row of ``label``, counted from 1."""
    numbers = [
        number
        for number, line in enumerate(lines.splitlines()[1:], start=2)
        if json.loads(line)["model"] == label
    ]
    return numbers[nth - 1]


@pytest.mark.slow
class TestAFileThatIsNone:
    @pytest.fixture(autouse=True)
    def _nothing_is_stored(self, club):
        before = stored()
        yield
        assert stored() == before

    def refused(self, lines):
        with pytest.raises(TransferRefused) as refusal:
            taken_in(lines)
        return str(refusal.value)

    @pytest.mark.parametrize("lines", [b"", b"\n", b"{}\n", b"[1]\n", b"\xff\xfe\n", b"[" * 10**5])
    def test_an_export_of_another_format_is_refused(self, lines):
        assert self.refused(lines).startswith("Line 1: This is no export of a club.")

    def test_an_export_of_a_newer_version_is_refused(self, club):
        newer = f'"version":{VERSION + 1}'.encode()
        problems = self.refused(club.replace(f'"version":{VERSION}'.encode(), newer, 1))
        assert problems.startswith("Line 1: The club was exported by a newer version of the site")

    @pytest.mark.parametrize("version", [b"0", b"-1", b"true", b"null", b'"2"', b"1.0", b"[]"])
    def test_an_export_of_no_version_is_refused(self, club, version):
        damaged = club.replace(f'"version":{VERSION}'.encode(), b'"version":' + version, 1)
        assert self.refused(damaged).startswith("Line 1: “version” is damaged.")

    @pytest.mark.parametrize("count", [b"-1", b'"2"', b"null", b"2.0"])
    def test_an_export_with_a_damaged_header_is_refused(self, club, count):
        problems = self.refused(
            club.replace(b'"scoring.ruleset":3', b'"scoring.ruleset":' + count, 1)
        )
        assert problems.startswith("Line 1: “rows” is damaged.")

    @pytest.mark.parametrize("left", [1, 2, 10, -1])
    def test_an_export_cut_off_after_a_line_is_refused(self, club, left):
        lines = b"".join(club.splitlines(keepends=True)[:left])
        assert self.refused(lines).startswith("The file is cut off")

    def test_an_export_cut_off_within_a_line_is_refused(self, club):
        assert self.refused(club[:-1]).startswith("The file is cut off")
        assert self.refused(club[: len(club) // 2]).startswith("The file is cut off")

    def test_an_export_packed_and_cut_off_is_refused(self, club):
        packed = gzip.GzipFile(fileobj=BytesIO(gzip.compress(club)[:-200]))
        with pytest.raises(TransferRefused, match="cut off or damaged"):
            import_club(packed, quietly)

    def test_an_export_that_goes_on_after_its_end_is_refused(self, club):
        last = club.splitlines(keepends=True)[-1]
        number = len(club.splitlines()) + 1
        assert self.refused(club + last).startswith(f"Line {number}: The file goes on after")

    def test_an_export_with_a_broken_line_is_refused(self, club):
        lines = club.splitlines(keepends=True)
        lines[6] = lines[6][:-10] + b"\n"
        assert self.refused(b"".join(lines)).startswith("Line 7: This is no JSON")
        lines[6] = b'{"model": "scoring.player"}\n'
        assert self.refused(b"".join(lines)).startswith("Line 7: This is no row of a club.")

    def test_an_export_without_a_line_is_refused(self, club):
        number = line_of(club, "scoring.seat")
        lines = club.splitlines(keepends=True)
        del lines[number - 1]
        # The seats are one too few, so a round stands where the last should be.
        assert "where a row of scoring.seat should stand" in self.refused(b"".join(lines))

    def test_an_export_with_an_unknown_model_is_refused(self, club):
        number = line_of(club, "scoring.seat")
        lines = club.replace(b'"model":"scoring.seat"', b'"model":"scoring.chair"')
        assert self.refused(lines).startswith(f"Line {number}: “scoring.chair” where")

    def test_an_export_with_an_unknown_field_is_refused(self, club):
        number = line_of(club, "scoring.player")
        problems = self.refused(change(club, number, shoe_size=44))
        assert problems.startswith(
            f"Line {number}: There is no field “shoe_size” of scoring.player."
        )

    def test_an_export_without_a_field_is_refused(self, club):
        number = line_of(club, "scoring.player")
        lines = club.splitlines(keepends=True)
        lines[number - 1] = lines[number - 1].replace(b'"active":true,', b"")
        problems = self.refused(b"".join(lines))
        assert problems.startswith(f"Line {number}: The field “active” is missing.")

    @pytest.mark.each_case
    @pytest.mark.parametrize(
        ("label", "field", "value"),
        [
            ("scoring.player", "active", "perhaps"),
            ("scoring.player", "active", 1),
            ("scoring.player", "name", 7),
            ("scoring.player", "joined_at", "yesterday"),
            ("scoring.player", "user", "me"),
            ("scoring.hand", "final", "80"),
            ("scoring.hand", "number", 1.5),
            ("scoring.hand", "dealer", None),
            ("scoring.hand", "game", 2**70),
            ("scoring.tally", "rating_mu", "high"),
            ("auth.user", "groups", 7),
            ("auth.user", "groups", [77]),
            ("auth.group", "permissions", [["fly", "scoring", "player"]]),
            ("admin.logentry", "content_type", ["scoring", "chair"]),
        ],
    )
    def test_an_export_with_a_value_that_cannot_be_is_refused(self, club, label, field, value):
        number = line_of(club, label)
        assert self.refused(change(club, number, **{field: value})).startswith(f"Line {number}: ")

    def test_an_export_with_a_row_twice_is_refused(self, club):
        number = line_of(club, "scoring.seat")
        lines = club.splitlines(keepends=True)
        lines[number] = lines[number - 1]
        problems = self.refused(b"".join(lines))
        assert problems.startswith(f"Line {number + 1}: scoring.seat ")
        assert "comes twice" in problems

    @pytest.mark.parametrize(
        ("label", "field", "to"),
        [
            ("scoring.payment", "hand", "scoring.hand"),
            ("scoring.hand", "winner", "scoring.player"),
            ("scoring.hand", "supersedes", "scoring.hand"),
        ],
    )
    def test_an_export_with_a_key_of_a_row_that_is_not_there_is_refused(
        self, club, label, field, to
    ):
        number = line_of(club, label)
        problems = self.refused(change(club, number, **{field: 987654}))
        assert problems.startswith(
            f"Line {number}: “{field}” is {to} 987654, which is not in the file."
        )

    def test_an_export_with_two_players_of_one_name_is_refused(self, club):
        number = line_of(club, "scoring.player", nth=3)
        problems = self.refused(change(club, number, name=NAMES[0]))
        assert problems.startswith(f"Line {number}: ")
        assert "There is already a player of this name" in problems

    def test_an_export_with_a_hand_that_no_constraint_allows_is_refused(self, club):
        number = line_of(club, "scoring.hand", nth=2)
        problems = self.refused(change(club, number, status="lost"))
        assert problems.startswith(f"Line {number}: ")

    @pytest.mark.postgresql
    def test_an_export_with_a_character_that_the_database_has_not_is_refused(self, club):
        number = line_of(club, "scoring.player")
        problems = self.refused(change(club, number, name="A\x00B"))
        assert problems.startswith(f"Line {number}: The database does not take this row")


def test_sequences_are_read_as_they_are_set():
    from scoring.operations.dump.keys import go_on_after, last_key

    clear()
    for key in (0, 41):
        go_on_after(Player, key)
        assert last_key(Player) == key
    assert make_player().pk == 42


@pytest.mark.django_db(transaction=True)
def test_a_club_that_plays_on_is_exported_as_it_was_at_one_moment():
    game, by = make_game(), make_organiser()

    def log():
        try:
            make_hand(game, winner=1, by=by)
        finally:
            connection.close()

    def begin(_total):
        # The rows have been counted, and none is written.
        with ThreadPoolExecutor(1) as phone:
            phone.submit(log).result()
        return lambda _more: None

    out = BytesIO()
    assert export_club(out, begin).rows["scoring.hand"] == 0
    header, *rows = out.getvalue().splitlines()
    assert len(rows) == sum(json.loads(header)["rows"].values())
    assert b'"scoring.hand"' not in b"".join(rows)
    assert b'"model":"scoring.hand"' in exported()


def test_a_packed_line_without_end_is_refused_before_it_is_unpacked(tmp_path):
    path = tmp_path / "club.jsonl.gz"
    with gzip.open(path, "wb", compresslevel=1) as file:
        for _megabyte in range(64):
            file.write(b"x" * 2**20)
    tracemalloc.start()
    try:
        with (
            gzip.open(path) as file,
            pytest.raises(TransferRefused, match=r"Line 1: The line is l"),
        ):
            ClubFile(file)
        assert tracemalloc.get_traced_memory()[1] < 24 * 2**20
    finally:
        tracemalloc.stop()
