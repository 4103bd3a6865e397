"""Forms that save only what a person changed, so that what others change meanwhile stays."""

from typing import Any

from django import forms


class ChangedFields(forms.ModelForm):
    """A form that carries what it showed of its row; of a new row it carries nothing."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.show_hidden_initial = self.instance.pk is not None

    @property
    def changes(self) -> dict[str, Any]:
        """What is sent otherwise than it was shown. Whoever sends a field alone changes it."""
        changed = {
            name
            for name in self.cleaned_data
            if name in self.changed_data or self[name].html_initial_name not in self.data
        }
        return {name: value for name, value in self.cleaned_data.items() if name in changed}
