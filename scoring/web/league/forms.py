"""The form that asks for a league table as it stood on an earlier day."""

from typing import Any

from scoring.models import League, club_day

from ..shared.day_form import DayForm


class AsOfForm(DayForm):
    """A day of ``league``; none means now."""

    def __init__(self, *args: Any, league: League, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        limits = self.fields["as_of"].widget.attrs
        limits["min"] = league.starts_on.isoformat()
        limits["max"] = min(league.ends_on or club_day(), club_day()).isoformat()
