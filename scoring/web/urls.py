"""The pages."""

from django.contrib.auth.views import LogoutView
from django.urls import path

from .views import account, calculator, games, hands, home, leagues, offline, players, rules, undo

urlpatterns = [
    path("", home.home, name="home"),
    path("leagues/", leagues.leagues, name="leagues"),
    path("leagues/<slug:slug>/", leagues.league, name="league"),
    path("players/", players.players, name="players"),
    path("players/me/", players.me, name="me"),
    path("players/<int:pk>/", players.player, name="player"),
    path("games/new/", games.new_game, name="new_game"),
    path("games/<int:pk>/", games.game, name="game"),
    path("games/<int:pk>/live/", games.live, name="game_live"),
    path("games/<int:pk>/finish/", games.finish, name="finish_game"),
    path("games/<int:pk>/hands/", hands.log, name="log_hand"),
    path("games/<int:pk>/preview/", hands.preview, name="preview_hand"),
    path("hands/<int:pk>/", hands.hand, name="hand"),
    path("hands/<int:pk>/undo/", undo.undo, name="undo_hand"),
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
    path("sign-in/", account.SignIn.as_view(), name="sign_in"),
    path("sign-out/", LogoutView.as_view(), name="sign_out"),
]
