from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ScoringConfig(AppConfig):
    name = "scoring"
    verbose_name = _("Mah Jongg")

    def ready(self) -> None:
        from .models.letters import keep_plain_letters
        from .operations.private_file import keep_private
        from .site import checks  # noqa: F401 - it registers itself

        keep_private()
        keep_plain_letters()
