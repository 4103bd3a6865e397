"""Version 1 of the API, its description, and a problem document for every other address."""

from django.urls import include, path, re_path
from django.views.generic import RedirectView
from rest_framework.routers import SimpleRouter

from .adjustments.views import AdjustmentViewSet
from .docs import DocsView, SchemaView
from .evenings.views import EveningViewSet
from .games.views import GameViewSet
from .hands.confirmations import ConfirmationViewSet
from .hands.corrections import CorrectionViewSet
from .hands.views import GameHandViewSet, HandViewSet
from .leagues.story import HallViewSet
from .leagues.views import LeagueViewSet
from .not_found import NowhereView
from .own_sentences import use_own_sentences
from .people.views import InvitationViewSet, PeopleViewSet
from .players.views import PlayerViewSet
from .ratings.views import RatingHistoryViewSet, RatingViewSet
from .rulesets.preview import PreviewView
from .rulesets.views import RuleSetViewSet
from .score.views import AdviceView, ScoreView
from .token.views import ApiTokenViewSet, MeView, TokenView

use_own_sentences()

router = SimpleRouter(use_regex_path=False)
router.register("rulesets", RuleSetViewSet, "api_ruleset")
router.register("players", PlayerViewSet, "api_player")
router.register("players/<int:player>/ratings", RatingHistoryViewSet, "api_player_rating")
router.register("ratings", RatingViewSet, "api_rating")
router.register("people", PeopleViewSet, "api_people")
router.register("invitations", InvitationViewSet, "api_invitation")
router.register("leagues", LeagueViewSet, "api_league")
router.register("leagues/<slug:slug>/hall-of-fame", HallViewSet, "api_league_hall")
router.register("hall-of-fame", HallViewSet, "api_hall")
router.register("leagues/<slug:slug>/evenings", EveningViewSet, "api_evening")
router.register("games", GameViewSet, "api_game")
router.register("games/<int:game>/hands", GameHandViewSet, "api_game_hand")
router.register("hands", HandViewSet, "api_hand")
router.register("hands", CorrectionViewSet, "api_correction")
router.register("hands", ConfirmationViewSet, "api_answer")
router.register("adjustments", AdjustmentViewSet, "api_adjustment")
router.register("tokens", ApiTokenViewSet, "api_tokens")

version_1 = [
    path("token/", TokenView.as_view(), name="api_token"),
    path("me/", MeView.as_view(), name="api_me"),
    path("score/", ScoreView.as_view(), name="api_score"),
    path("score/advice/", AdviceView.as_view(), name="api_advice"),
    path("rulesets/preview/", PreviewView.as_view(), name="api_preview"),
    *router.urls,
]

urlpatterns = [
    path(
        "",
        RedirectView.as_view(pattern_name="api_docs", http_method_names=["get", "head"]),
        name="api",
    ),
    path("schema/", SchemaView.as_view(), name="api_schema"),
    path("docs/", DocsView.as_view(), name="api_docs"),
    path("v1/", include(version_1)),
    re_path("", NowhereView.as_view()),
]
