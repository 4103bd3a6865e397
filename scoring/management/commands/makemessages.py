"""``makemessages``: Django's own, which finds what the evaluator says as well. Needs gettext."""

import json
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandParser
from django.core.management.commands import makemessages
from django.utils.translation import to_locale

from scoring.management.evaluator_words import words

ELSEWHERE = ["var", "tests"]


class Command(makemessages.Command):
    """Brings every catalogue up to date; what is no longer said goes, what is new waits for words."""

    msgmerge_options = [*makemessages.Command.msgmerge_options, "--no-fuzzy-matching"]

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        languages = [to_locale(code) for code, _name in settings.LANGUAGES if code != "en"]
        parser.set_defaults(
            locale=languages,
            ignore_patterns=ELSEWHERE,
            add_location="file",
            no_obsolete=True,
            no_wrap=True,
        )

    def process_files(self, file_list: list[Any]) -> None:
        super().process_files(file_list)
        with (Path(self.default_locale_path or "") / f"{self.domain}.pot").open("a") as file:
            for word in words():
                flag = "#, python-brace-format\n" if "{" in word else ""
                literal = json.dumps(word, ensure_ascii=False)
                file.write(f'\n#: scoring/evaluator\n{flag}msgid {literal}\nmsgstr ""\n')
