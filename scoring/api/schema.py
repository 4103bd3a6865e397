"""Describe in the schema what calls have in common: their problems, and the key of those that write."""

from typing import Any

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter

from scoring.models import known_club

from .idempotency import KEY_HEADER, LONGEST_KEY, REPLAY_HEADER
from .problem_serializers import ProblemSerializer
from .problems import MEDIA_TYPE, TITLES, problem_type

PROBLEMS = {
    400: "Something in the request cannot be: `errors` says what, and what to do.",
    401: "Not signed in, or with a token that is unknown or has ended.",
    403: "Not for this person, or not for this token (`scope`).",
    404: "Not there, or not for this person to see.",
    406: "JSON is all there is.",
    413: "The body is too large.",
    415: "The body is not JSON.",
    422: "The Idempotency-Key came before with another request.",
    429: "Too often; `Retry-After` says for how many seconds to wait.",
    503: "The database cannot answer now; send the same again after `Retry-After` seconds.",
}


DESCRIPTION = """\
Whatever the pages of the club show can be read here, and hands can be logged.

Sign in with `POST /api/v1/token/` and send `Authorization: Token …`, or use the session of the
site with its CSRF token. A token has scopes: `read` (what members see), `log` (open games; log,
correct and answer hands) and `organise` (what organisers do). None of them implies another: a
program that logs hands in a members' league needs `read` and `log`. A token ends by its date, with
another password, and by `DELETE /api/v1/tokens/{{id}}/`. `GET /api/v1/me/` says who the caller is
and what the token is for. Points and amounts are whole numbers, winds are `E S W N`, tiles are
`1B`…`9B` `1C`…`9C` `1D`…`9D` `E S W N` `R G Wh`; who is asked for tiles also understands
`222B 345B 55B 222D GGG`.

Every refusal is a problem document (RFC 9457) with `errors`, each naming a field. Its `type` is
`about:blank`, which means what the HTTP status means, or one of

{kinds}
"""


# What can be done with what an answer names: operation, parameter, where the answer has its value.
GAME = {"read": ("games_retrieve", "id"), "log": ("games_hands_create", "game")}
HAND = {
    "read": ("hands_retrieve", "id"),
    "correct": ("hands_correct_create", "id"),
    "undo": ("hands_undo_create", "id"),
}
LINKS = {
    "games_create": GAME,
    "games_hands_create": HAND,
    "players_create": {"read": ("players_retrieve", "id")},
    "adjustments_create": {"reverse": ("adjustments_reverse_create", "id")},
}


def _link(result: dict[str, Any]) -> None:
    for methods in result["paths"].values():
        for operation in methods.values():
            for name, (target, parameter) in LINKS.get(operation["operationId"], {}).items():
                link = {"operationId": target, "parameters": {parameter: "$response.body#/id"}}
                operation["responses"]["201"].setdefault("links", {})[name] = link


def describe(result: dict[str, Any], **_context: Any) -> dict[str, Any]:
    """Put the words that belong to the API as a whole at the head of its schema."""
    kinds = "\n".join(f"* `{problem_type(code)}`: {title}" for code, title in TITLES.items())
    result["info"]["title"] = str(known_club())
    result["info"]["description"] = DESCRIPTION.format(kinds=kinds)
    _link(result)
    for name, shape in result["components"]["schemas"].items():
        if name.endswith("Request"):
            shape["additionalProperties"] = False
    return result


class ApiSchema(AutoSchema):
    """A view says what is particular to it; its methods, permissions and throttles say the rest."""

    def get_operation(self, *args: Any, **kwargs: Any) -> dict[str, Any] | None:
        operation = super().get_operation(*args, **kwargs)
        if operation is not None:
            if self._writes:
                _document_replay(operation["responses"])
            for status in self._problems(operation):
                operation["responses"].setdefault(str(status), self._problem(status))
            operation["responses"] = dict(sorted(operation["responses"].items()))
        return operation

    def get_summary(self) -> str:
        return self.get_description().partition("\n")[0]

    def get_override_parameters(self) -> list[Any]:
        given = super().get_override_parameters()
        if getattr(self.view, "lookup_field", "") == "slug" and "{slug}" in self.path:
            slug = {"type": "string", "pattern": "^[-a-zA-Z0-9_]+$"}
            given = [*given, OpenApiParameter("slug", slug, OpenApiParameter.PATH)]
        if not self._writes:
            return given
        key = OpenApiParameter(
            KEY_HEADER,
            {"type": "string", "minLength": 1, "maxLength": LONGEST_KEY, "pattern": "^[!-~]+$"},
            OpenApiParameter.HEADER,
            description="Made up by the caller. The same key and body again: the same answer, "
            "and nothing is done twice.",
        )
        return [*given, key]

    @property
    def _writes(self) -> bool:
        """Whether the call takes an ``Idempotency-Key``."""
        saves = not getattr(self.view, "saves_nothing", False)
        keyed = getattr(self.view, "takes_a_key", True)
        return self.method in ("POST", "PATCH") and saves and keyed

    @property
    def _asks_permission(self) -> bool:
        """Whether the call, which may only read, is for some people alone."""
        return getattr(self.view, "action", "") in getattr(self.view, "permissions", {})

    def _problems(self, operation: dict[str, Any]) -> list[int]:
        parameters = operation.get("parameters", [])
        asked = {parameter["name"] for parameter in parameters if parameter["in"] == "query"}
        named = any(parameter["in"] == "path" for parameter in parameters)
        signed = bool(self.view.authentication_classes)
        body = self.method in ("POST", "PATCH")
        applies = {
            400: True,
            401: signed,
            403: signed and (body or self.method == "DELETE" or self._asks_permission),
            404: named or "page" in asked,
            406: True,
            413: body,
            415: body,
            422: self._writes,
            429: bool(self.view.get_throttles()),
            503: True,
        }
        return [status for status, does in applies.items() if does]

    def _problem(self, status: int) -> dict[str, Any]:
        schema = self.resolve_serializer(ProblemSerializer, "response").ref
        return {"description": PROBLEMS[status], "content": {MEDIA_TYPE: {"schema": schema}}}


def _document_replay(responses: dict[str, Any]) -> None:
    done = responses.get("201") or responses["200"]
    header = {"schema": {"type": "string", "enum": ["true"]}, "description": "Sent before."}
    responses["200"] = {**done, "headers": {REPLAY_HEADER: header}}
