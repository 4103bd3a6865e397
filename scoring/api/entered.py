"""Read what was sent, for a call that not everybody may make."""

from collections.abc import Callable
from typing import Any

from rest_framework.serializers import Serializer


def valid(serializer: Serializer, require: Callable[[], object]) -> dict[str, Any]:
    """The valid data of ``serializer``. Who may not make the call is told that, not what is wrong with it.

    :param require: refuses them, as the service would that was never asked.
    :raises PermissionDenied, Conflict: by ``require``, if the data is not valid.
    :raises ValidationError: naming every field that is wrong.
    """
    if not serializer.is_valid():
        require()
        serializer.is_valid(raise_exception=True)
    entered: dict[str, Any] = serializer.validated_data
    return entered
