from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ScoringConfig(AppConfig):
    name = "scoring"
    verbose_name = _("Mah Jongg")

    def ready(self) -> None:
        from mahjong_site import checks  # noqa: F401 - it registers itself

        from .club.private_file import keep_private

        keep_private()
