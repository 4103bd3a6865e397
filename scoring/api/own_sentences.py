"""What REST framework refuses, in the site's own sentences: what to send, not what was wrong with it.

A field of a call that has a sentence of its own, such as "Give the tiles, …", keeps it.
"""

from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import exceptions, fields, relations, serializers

from scoring.models.refusals import NO_DATE

MISSING = _("A value is missing here: give one.")
EMPTY = _("This is empty: give a value, or leave the field out.")
NOT_ALLOWED = _("This value is not allowed here.")
NO_TEXT = _("Give a text.")
NO_NUMBER = _("Give a number.")
NO_LIST = _("Give a list.")
NO_OBJECT = _("Give an object: names with their values, in braces.")
SHORT_LIST = _("This list is empty: give at least one value.")
LARGEST = _("Give {max_value} at most.")
SMALLEST = _("Give {min_value} at least.")
TRUE_OR_FALSE = _("Give true or false.")
NO_SLUG = _("Give letters, digits, hyphens and underscores, and nothing else.")
NO_CHOICE = _("“{input}” is not allowed here.")
UNKEPT_CHARACTER = _("This text has a character that cannot be kept.")
TOO_MANY_DIGITS = _("This number has too many digits.")

OF_LISTS = {
    "not_a_list": NO_LIST,
    "empty": SHORT_LIST,
    "min_length": _("Too few values: the minimum is {min_length}."),
    "max_length": _("Too many values: the maximum is {max_length}."),
}

# For each class of fields: sentences by the names that it has for them. Subclasses inherit them.
SENTENCES: dict[type[fields.Field], dict[str, Any]] = {
    fields.Field: {"required": MISSING, "null": MISSING},
    fields.BooleanField: {"invalid": TRUE_OR_FALSE},
    fields.CharField: {
        "invalid": NO_TEXT,
        "blank": EMPTY,
        "max_length": _("Give at most {max_length} characters."),
        "min_length": _("Give at least {min_length} characters."),
    },
    fields.EmailField: {"invalid": _("This is no e-mail address.")},
    fields.RegexField: {"invalid": NOT_ALLOWED},
    fields.SlugField: {
        "invalid": NO_SLUG,
        "invalid_unicode": NO_SLUG,
    },
    fields.IntegerField: {
        "invalid": _("Give a whole number."),
        "max_value": LARGEST,
        "min_value": SMALLEST,
        "max_string_length": TOO_MANY_DIGITS,
    },
    fields.FloatField: {
        "invalid": NO_NUMBER,
        "max_value": LARGEST,
        "min_value": SMALLEST,
        "max_string_length": TOO_MANY_DIGITS,
        "overflow": TOO_MANY_DIGITS,
    },
    fields.DecimalField: {
        "invalid": NO_NUMBER,
        "max_value": LARGEST,
        "min_value": SMALLEST,
        "max_digits": TOO_MANY_DIGITS,
        "max_decimal_places": TOO_MANY_DIGITS,
        "max_whole_digits": TOO_MANY_DIGITS,
        "max_string_length": TOO_MANY_DIGITS,
    },
    fields.DateField: {"invalid": NO_DATE, "datetime": NO_DATE},
    fields.DateTimeField: {
        "invalid": NOT_ALLOWED,
        "date": NOT_ALLOWED,
        "make_aware": NOT_ALLOWED,
        "overflow": NOT_ALLOWED,
    },
    fields.ChoiceField: {"invalid_choice": NO_CHOICE},
    fields.MultipleChoiceField: {
        "invalid_choice": NO_CHOICE,
        "not_a_list": NO_LIST,
        "empty": SHORT_LIST,
    },
    fields.ListField: OF_LISTS,
    fields.DictField: {"not_a_dict": NO_OBJECT, "empty": NO_OBJECT},
    relations.PrimaryKeyRelatedField: {
        "required": MISSING,
        "does_not_exist": _("There is nothing with the id {pk_value}."),
        "incorrect_type": _("Give an id."),
    },
    relations.SlugRelatedField: {
        "does_not_exist": _("There is nothing called “{value}” here."),
        "invalid": NOT_ALLOWED,
    },
    relations.ManyRelatedField: {"not_a_list": NO_LIST, "empty": SHORT_LIST},
    serializers.Serializer: {"invalid": NO_OBJECT},
    serializers.ListSerializer: OF_LISTS,
}
# What validators refuse, which fields cannot be told to say otherwise: by the code.
BY_CODE = {
    "null_characters_not_allowed": UNKEPT_CHARACTER,
    "surrogate_characters_not_allowed": UNKEPT_CHARACTER,
}
# What REST framework raises by itself.
OF_EXCEPTIONS: dict[type[exceptions.APIException], object] = {
    exceptions.NotAuthenticated: _("This is for members: sign in, or send a token."),
    exceptions.MethodNotAllowed: _(
        "This address does not take this method. The header Allow names those that it takes."
    ),
    exceptions.NotAcceptable: _(
        "There is no answer in the form that the header Accept asks for: ask for application/json."
    ),
    exceptions.UnsupportedMediaType: _("This address reads JSON only: send application/json."),
}


def use_own_sentences() -> None:
    """Have all fields of REST framework refuse in the site's words."""
    for field, sentences in SENTENCES.items():
        field.default_error_messages = {**field.default_error_messages, **sentences}
