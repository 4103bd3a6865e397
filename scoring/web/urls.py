"""The pages."""

from django.contrib.auth.views import LogoutView
from django.urls import path, register_converter

from .account import leaving
from .account import urls as account_urls
from .account import views as account
from .calculator import views as calculator
from .club import trail
from .club import views as club
from .converters import CodeConverter, DayConverter, SheetConverter
from .dashboard import views as dashboard
from .evening import graphs as evening_graphs
from .evening import recap, settlement, terms
from .evening import views as evenings
from .first_run import views as first_run
from .hand import confirmations, corrections
from .hand import views as hands
from .league import adjustments, seasons, standing_rules, story, what_if
from .league import graphs as league_graphs
from .league import settings as league_settings
from .league import views as leagues
from .notices import choices
from .notices import views as notices
from .offline import views as offline
from .people import anonymous, cards, joining, lists, person
from .people import views as people
from .player import graphs as player_graphs
from .player import pins
from .player import views as players
from .rating import views as rating
from .rules import views as rules
from .rules import workshop
from .seating import again, codes, guests, player_pins, scan, sit
from .sharing import calendars, embed, feeds, pictures, sheets
from .table import game_changes, late_hands, log_hand, undo
from .table import views as games

register_converter(CodeConverter, "code")
register_converter(DayConverter, "day")
register_converter(SheetConverter, "sheet")

urlpatterns = [
    path("start/", first_run.start, name="start"),
    path("", dashboard.dashboard_page, name="home"),
    path("leagues/", leagues.leagues, name="leagues"),
    path("leagues/new/", league_settings.new_league, name="new_league"),
    path("leagues/<slug:slug>/", leagues.league, name="league"),
    path("leagues/<slug:slug>.svg", league_graphs.race_alone, name="race_graph"),
    path("leagues/<slug:slug>/pictures/", league_graphs.pictures, name="pictures"),
    path("leagues/<slug:slug>.<sheet:kind>", sheets.standings, name="standings_sheet"),
    path("leagues.atom", feeds.results, name="club_feed"),
    path("leagues/<slug:slug>.atom", feeds.results, name="league_feed"),
    path("hall.atom", feeds.hall_of_fame, name="hall_feed"),
    path("leagues/<slug:slug>/hall.atom", feeds.hall_of_fame, name="league_hall_feed"),
    path("leagues/<slug:slug>/embed/", embed.table, name="embed_table"),
    path("leagues/<slug:slug>.ics", calendars.league, name="league_calendar"),
    path("leagues/<slug:slug>.png", pictures.league, name="league_picture"),
    path("leagues/<slug:slug>/final.<sheet:kind>", sheets.final, name="final_sheet"),
    path(
        "leagues/<slug:slug>/evenings/<day:day>.<sheet:kind>",
        sheets.evening,
        name="evening_sheet",
    ),
    path("leagues/<slug:slug>/evenings/<day:day>.png", pictures.evening, name="evening_picture"),
    path("leagues/<slug:slug>/change/", league_settings.change, name="change_league"),
    path("leagues/<slug:slug>/delete/", league_settings.delete, name="delete_league"),
    path("leagues/<slug:slug>/adjustments/", adjustments.adjustments, name="adjustments"),
    path("leagues/<slug:slug>/what-if/", what_if.what_if, name="what_if"),
    path("leagues/<slug:slug>/players/<int:pk>/", standing_rules.sum_page, name="player_standing"),
    path(
        "leagues/<slug:slug>/standing-rules/", standing_rules.standing_rules, name="standing_rules"
    ),
    path(
        "leagues/<slug:slug>/standing-rules/change/",
        standing_rules.change,
        name="change_standing_rules",
    ),
    path(
        "leagues/<slug:slug>/standing-rules/take-back/",
        standing_rules.undo,
        name="undo_standing_rules",
    ),
    path("hall/", story.club_hall, name="hall"),
    path("leagues/<slug:slug>/hall/", story.league_hall, name="league_hall"),
    path("leagues/<slug:slug>/awards/", story.awards, name="awards"),
    path("leagues/<slug:slug>/head-to-head/", story.matrix, name="head_to_head"),
    path("leagues/<slug:slug>/statistics/", story.statistics, name="league_statistics"),
    path("leagues/<slug:slug>/head-to-head.svg", league_graphs.matrix_alone, name="matrix_graph"),
    path("seasons/", seasons.club_seasons, name="club_seasons"),
    path("leagues/<slug:slug>/seasons/", seasons.seasons, name="seasons"),
    path("leagues/<slug:slug>/seasons/next/", seasons.next_season, name="next_season"),
    path("leagues/<slug:slug>/final/", seasons.final, name="final"),
    path("leagues/<slug:slug>/final.svg", seasons.final_picture, name="final_picture"),
    path("leagues/<slug:slug>/close/", seasons.close, name="close_season"),
    path("leagues/<slug:slug>/reopen/", seasons.reopen, name="reopen_season"),
    path("leagues/<slug:slug>/evenings/", evenings.evenings, name="evenings"),
    path("leagues/<slug:slug>/evenings/<day:day>/", evenings.evening, name="evening"),
    path(
        "leagues/<slug:slug>/evenings/<day:day>.svg",
        evening_graphs.evening_alone,
        name="evening_graph",
    ),
    path(
        "leagues/<slug:slug>/evenings/<day:day>/pictures/",
        evening_graphs.pictures,
        name="evening_pictures",
    ),
    path("leagues/<slug:slug>/evenings/<day:day>/close/", evenings.close, name="close_evening"),
    path("leagues/<slug:slug>/evenings/<day:day>/reopen/", evenings.reopen, name="reopen_evening"),
    path("leagues/<slug:slug>/evenings/<day:day>/recap/", recap.recap, name="recap"),
    path("leagues/<slug:slug>/evenings/<day:day>/recap.svg", recap.picture, name="recap_picture"),
    path("leagues/<slug:slug>/settlement/<day:day>/", settlement.settlement, name="settlement"),
    path(
        "leagues/<slug:slug>/settlement/<day:day>.<sheet:kind>",
        settlement.as_sheet,
        name="settlement_sheet",
    ),
    path("leagues/<slug:slug>/settlement/<day:day>/paid/", settlement.mark, name="mark_as_paid"),
    path(
        "leagues/<slug:slug>/settlement/<day:day>/paid/<int:pk>/not-paid/",
        settlement.undo,
        name="undo_payment",
    ),
    path("leagues/<slug:slug>/stakes/", terms.of_league, name="league_terms"),
    path("adjustments/<int:pk>/take-back/", adjustments.take_back, name="take_back"),
    path("players/", players.players, name="players"),
    path("players/me/", players.me, name="me"),
    path("players/me/pin/", pins.pin, name="pin"),
    path("players/<int:pk>/", players.player, name="player"),
    path("players/<int:pk>.svg", player_graphs.points_alone, name="player_graph"),
    path("players/<int:pk>.png", pictures.player, name="player_picture"),
    path("players/<int:pk>/against/", players.against_others, name="against"),
    path("players/<int:pk>/story/", players.how_they_play, name="how_they_play"),
    path("players/<int:pk>/ratings/", rating.history, name="player_ratings"),
    path("ratings/", rating.ratings, name="ratings"),
    path("people/", people.people_list, name="people"),
    path("people/add/", lists.add, name="add_people"),
    path("people/claims/", people.claims, name="claims"),
    path("people/invitations/", people.invitation_list, name="invitations"),
    path("people/invitations/cards/", cards.invitation_cards, name="invitation_cards"),
    path("people/invitations/revoke/", people.revoke, name="revoke_invitation"),
    path("people/<int:pk>/", person.person, name="person"),
    path("people/<int:pk>/merge/", person.merge, name="merge_players"),
    path("people/<int:pk>/name/", anonymous.take_name_out, name="take_name_out"),
    path("people/accounts/<int:pk>/", person.account, name="person_account"),
    path("join/<str:code>/", joining.join_page, name="join"),
    path("players/<int:pk>/pin/", player_pins.player_pin, name="player_pin"),
    path("players/<int:pk>/claim/", guests.claim, name="claim_guest"),
    path("players/<int:pk>/withdraw-claim/", guests.withdraw, name="withdraw_claim"),
    path("players/<int:pk>/answer-claim/", guests.answer, name="answer_claim"),
    path("players/<int:pk>/member/", guests.member, name="make_member"),
    path("tables/", codes.tables, name="tables"),
    path("tables/codes/", codes.renew_all, name="renew_codes"),
    path("tables/<code:code>/", scan.scan, name="scan"),
    path("tables/<code:code>/live/", scan.live, name="scan_live"),
    path("tables/<code:code>/sit/", sit.sit, name="sit_down"),
    path("tables/<code:code>/leave/", sit.leave, name="leave_seat"),
    path("tables/<code:code>/start/", sit.start, name="start_at_table"),
    path("tables/<int:pk>/", codes.table, name="table"),
    path("games/new/", games.new_game, name="new_game"),
    path("games/new/guest/", games.seat_guest, name="seat_guest"),
    path("games/new/find/", games.find_player, name="find_player"),
    path("games/<int:pk>/", games.game, name="game"),
    path("games/<int:pk>/live/", games.live, name="game_live"),
    path("games/<int:pk>/chances/", rating.chances, name="game_chances"),
    path("games/<int:pk>/finish/", games.finish, name="finish_game"),
    path("games/<int:pk>/again/", again.again, name="play_again"),
    path(
        "games/<int:pk>/reopen/",
        game_changes.for_a_reason,
        {"change": game_changes.REOPEN},
        name="reopen_game",
    ),
    path("games/<int:pk>/seats/", game_changes.seats, name="change_seats"),
    path("games/<int:pk>/move/", game_changes.move, name="move_game"),
    path(
        "games/<int:pk>/withdraw/",
        game_changes.for_a_reason,
        {"change": game_changes.WITHDRAW},
        name="withdraw_game",
    ),
    path(
        "games/<int:pk>/restore/",
        game_changes.for_a_reason,
        {"change": game_changes.RESTORE},
        name="restore_game",
    ),
    path("games/<int:pk>/late/", late_hands.late_hands, name="late_hands"),
    path("games/<int:pk>/late/<int:late>/", late_hands.decide, name="decide_late_hand"),
    path("games/<int:pk>/penalty/", adjustments.penalty, name="penalty"),
    path("games/<int:pk>/hands/", log_hand.log, name="log_hand"),
    path("games/<int:pk>/preview/", log_hand.preview, name="preview_hand"),
    path("hands/<int:pk>/", hands.hand, name="hand"),
    path("hands/<int:pk>/picture.png", hands.picture, name="hand_picture"),
    path("hands/<int:pk>/undo/", undo.undo, name="undo_hand"),
    path("hands/<int:pk>/correct/", corrections.correct, name="correct_hand"),
    path("hands/<int:pk>/correct/preview/", corrections.preview, name="preview_correction"),
    path("hands/<int:pk>/void/", corrections.void, name="void_hand"),
    path("hands/<int:pk>/restore/", corrections.restore, name="restore_hand"),
    path("hands/<int:pk>/history/", corrections.history, name="hand_history"),
    path("hands/<int:pk>/answer/", confirmations.answer, name="answer_hand"),
    path("hands/<int:pk>/pass-the-phone/", confirmations.pass_the_phone, name="pass_the_phone"),
    path("hands/<int:pk>/settle/", confirmations.settle, name="settle_hand"),
    path("calculator/", calculator.calculator, name="calculator"),
    path("calculator/result/", calculator.result, name="calculator_result"),
    path("calculator/think/", calculator.think, name="calculator_think"),
    path("rules/", rules.index, name="rules_index"),
    path("rules/compare/", rules.comparison, name="compare_rules"),
    path("rules/new/", rules.new_rules, name="add_rules"),
    path("rules/import/", workshop.import_book, name="import_rules"),
    path("rules/<slug:slug>/", rules.ruleset, name="rules"),
    path("rules/<slug:slug>/take/", rules.take_book, name="take_book"),
    path("rules/<slug:slug>/<int:number>.toml", rules.download, name="rules_file"),
    path("rules/<slug:slug>/change/", rules.change_rules, name="change_rules"),
    path("rules/<slug:slug>/delete/", rules.delete_rules, name="delete_rules"),
    path("rules/<slug:slug>/new/", rules.new_version, name="new_rules"),
    path("manifest.webmanifest", offline.manifest, name="manifest"),
    path("worker.js", offline.worker, name="worker"),
    path("offline/", offline.offline, name="offline"),
    path("language/", account.language, name="set_language"),
    *account_urls.urlpatterns,
    path("account/data/", leaving.data, name="my_data"),
    path("account/leave/", leaving.leave, name="leave"),
    path("account/goodbye/", leaving.goodbye, name="goodbye"),
    path("privacy/", leaving.privacy, name="privacy"),
    path("club/", club.settings, name="club"),
    path("club/stakes/", terms.of_club, name="club_terms"),
    path("trail/", trail.trail_page, name="trail"),
    path("trail/trail.csv", trail.as_csv, name="trail_csv"),
    path("trail/trail.xlsx", trail.as_xlsx, name="trail_xlsx"),
    path("account/notices/", choices.choices, name="notice_choices"),
    path("account/notices/add-device/", choices.add, name="add_device"),
    path("account/notices/remove-device/", choices.remove, name="remove_device"),
    path("notices/", notices.notices, name="notices"),
    path("notices/read/", notices.read_all, name="read_notices"),
    path("notices/undelivered/", notices.undelivered_notices, name="undelivered_notices"),
    path("notices/stop/<str:token>/", choices.stop, name="stop_notices"),
    path("notices/<int:pk>/", notices.open_notice, name="open_notice"),
    path("sign-in/", account.SignIn.as_view(), name="sign_in"),
    path("sign-out/", LogoutView.as_view(), name="sign_out"),
]
