"""Say how long ago something was, in one unit, as a reader of a list wants it."""

from datetime import datetime, timedelta

from django import template
from django.utils import timezone
from django.utils.timesince import timesince
from django.utils.translation import gettext as _

register = template.Library()

MINUTE = timedelta(minutes=1)


@register.filter
def ago(moment: datetime) -> str:
    """ "just now", "12 minutes ago", "3 weeks ago"."""
    now = timezone.now()
    if now - moment < MINUTE:
        return _("just now")
    return _("%(time)s ago") % {"time": timesince(moment, now, depth=1)}
