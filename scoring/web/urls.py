"""The pages."""

from django.contrib.auth.views import LogoutView
from django.urls import path, register_converter

from .account import urls as account_urls
from .account import views as account
from .calculator import views as calculator
from .converters import DayConverter
from .dashboard import views as dashboard
from .evening import views as evenings
from .hand import confirmations, corrections
from .hand import views as hands
from .league import adjustments, what_if
from .league import views as leagues
from .offline import views as offline
from .player import pins
from .player import views as players
from .rules import views as rules
from .table import game_changes, late_hands, log_hand, undo
from .table import views as games

register_converter(DayConverter, "day")

urlpatterns = [
    path("", dashboard.dashboard_page, name="home"),
    path("leagues/", leagues.leagues, name="leagues"),
    path("leagues/<slug:slug>/", leagues.league, name="league"),
    path("leagues/<slug:slug>/adjustments/", adjustments.adjustments, name="adjustments"),
    path("leagues/<slug:slug>/what-if/", what_if.what_if, name="what_if"),
    path("leagues/<slug:slug>/evenings/", evenings.evenings, name="evenings"),
    path("leagues/<slug:slug>/evenings/<day:day>/", evenings.evening, name="evening"),
    path("leagues/<slug:slug>/evenings/<day:day>/close/", evenings.close, name="close_evening"),
    path("leagues/<slug:slug>/evenings/<day:day>/reopen/", evenings.reopen, name="reopen_evening"),
    path("adjustments/<int:pk>/take-back/", adjustments.take_back, name="take_back"),
    path("players/", players.players, name="players"),
    path("players/me/", players.me, name="me"),
    path("players/me/pin/", pins.pin, name="pin"),
    path("players/<int:pk>/", players.player, name="player"),
    path("games/new/", games.new_game, name="new_game"),
    path("games/<int:pk>/", games.game, name="game"),
    path("games/<int:pk>/live/", games.live, name="game_live"),
    path("games/<int:pk>/finish/", games.finish, name="finish_game"),
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
    path("hands/<int:pk>/history/", corrections.history, name="hand_history"),
    path("hands/<int:pk>/answer/", confirmations.answer, name="answer_hand"),
    path("hands/<int:pk>/pass-the-phone/", confirmations.pass_the_phone, name="pass_the_phone"),
    path("hands/<int:pk>/settle/", confirmations.settle, name="settle_hand"),
    path("calculator/", calculator.calculator, name="calculator"),
    path("calculator/result/", calculator.result, name="calculator_result"),
    path("calculator/think/", calculator.think, name="calculator_think"),
    path("rules/", rules.index, name="rules_index"),
    path("rules/compare/", rules.comparison, name="compare_rules"),
    path("rules/<slug:slug>/", rules.ruleset, name="rules"),
    path("rules/<slug:slug>/new/", rules.new_version, name="new_rules"),
    path("manifest.webmanifest", offline.manifest, name="manifest"),
    path("worker.js", offline.worker, name="worker"),
    path("offline/", offline.offline, name="offline"),
    path("language/", account.language, name="set_language"),
    *account_urls.urlpatterns,
    path("sign-in/", account.SignIn.as_view(), name="sign_in"),
    path("sign-out/", LogoutView.as_view(), name="sign_out"),
]
