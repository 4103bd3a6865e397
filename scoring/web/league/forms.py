"""The form that asks for a league table as it stood on an earlier day."""

from typing import Any

from scoring.models import League

from ..shared.day_form import DayForm


class AsOfForm(DayForm):
    """A day of ``league``; none means now."""

    def __init__(self, *args: Any, league: League, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        limits = self.fields["as_of"].widget.attrs
        limits["min"] = league.starts_on.isoformat()
        if league.ends_on:
            limits["max"] = league.ends_on.isoformat()
