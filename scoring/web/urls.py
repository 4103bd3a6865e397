"""The pages."""

from django.contrib.auth.views import LogoutView
from django.urls import path, register_converter
from django.views.decorators.http import require_POST
from django.views.i18n import set_language

from .converters import DayConverter
from .views import (
    account,
    adjustments,
    answers,
    calculator,
    corrections,
    evenings,
    games,
    hands,
    home,
    leagues,
    offline,
    players,
    rules,
    undo,
    what_if,
)

register_converter(DayConverter, "day")

urlpatterns = [
    path("", home.home, name="home"),
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
    path("players/<int:pk>/", players.player, name="player"),
    path("games/new/", games.new_game, name="new_game"),
    path("games/<int:pk>/", games.game, name="game"),
    path("games/<int:pk>/live/", games.live, name="game_live"),
    path("games/<int:pk>/finish/", games.finish, name="finish_game"),
    path("games/<int:pk>/penalty/", adjustments.penalty, name="penalty"),
    path("games/<int:pk>/hands/", hands.log, name="log_hand"),
    path("games/<int:pk>/preview/", hands.preview, name="preview_hand"),
    path("hands/<int:pk>/", hands.hand, name="hand"),
    path("hands/<int:pk>/picture.png", hands.picture, name="hand_picture"),
    path("hands/<int:pk>/undo/", undo.undo, name="undo_hand"),
    path("hands/<int:pk>/correct/", corrections.correct, name="correct_hand"),
    path("hands/<int:pk>/void/", corrections.void, name="void_hand"),
    path("hands/<int:pk>/history/", corrections.history, name="hand_history"),
    path("hands/<int:pk>/answer/", answers.answer, name="answer_hand"),
    path("hands/<int:pk>/pass-the-phone/", answers.pass_the_phone, name="pass_the_phone"),
    path("hands/<int:pk>/settle/", answers.settle, name="settle_hand"),
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
    path("language/", require_POST(set_language), name="set_language"),
    path("sign-in/", account.SignIn.as_view(), name="sign_in"),
    path("sign-out/", LogoutView.as_view(), name="sign_out"),
]
