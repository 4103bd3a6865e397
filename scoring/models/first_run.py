"""The progress of setting up a new club, and the code of who may go on."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from .permissions import Account, User


class FirstRun(models.Model):
    """One row, with the key 1, from the first code that the server printed.

    Until there is an account, whoever has the code goes on; afterwards, who made that account.
    """

    class Step(models.TextChoices):
        """What comes next, in this order."""

        CLUB = "club", _("The club")
        ACCOUNT = "account", _("Your account")
        LEAGUE = "league", _("Rules and first league")
        NAMES = "names", _("The people")
        DONE = "done", _("Done")

    # Only of the newest code, never its text.
    digest = models.CharField(max_length=64, editable=False)
    step = models.CharField(max_length=10, choices=Step.choices, default=Step.CLUB)
    owner = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
    )

    class Meta:
        verbose_name = _("first run")
        verbose_name_plural = _("first runs")
        constraints = [models.CheckConstraint(condition=Q(pk=1), name="first_run_is_one")]

    def __str__(self) -> str:
        return str(self.get_step_display())


# Whether there was an account when this process last looked. A club that has one stays open.
_open: set[bool] = set()


def is_open() -> bool:
    """Whether anybody has an account here; asked of the database until somebody has."""
    if not _open and Account.objects.exists():
        remember_open()
    return bool(_open)


def remember_open() -> None:
    """Let :func:`is_open` answer yes without looking."""
    _open.add(True)


def unfinished_for(user: User) -> bool:
    """Whether ``user`` opened this club and has not finished setting it up."""
    own = FirstRun.objects.filter(owner__isnull=False, owner=user.pk)
    return own.exclude(step=FirstRun.Step.DONE).exists()
