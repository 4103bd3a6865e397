"""A sheet as the answer to a request."""

from django.http import HttpResponse

from scoring.operations.sheets import CONTENT_TYPES, WRITERS, Sheet


def sheet_file(sheet: Sheet, name: str, kind: str) -> HttpResponse:
    """``sheet`` as a file to keep, called ``name``.

    :param kind: "csv" or "xlsx".
    """
    return HttpResponse(
        WRITERS[kind](sheet),
        content_type=CONTENT_TYPES[kind],
        headers={"Content-Disposition": f'attachment; filename="{name}.{kind}"'},
    )
