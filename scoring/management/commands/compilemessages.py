"""``compilemessages``: as Django's own, without the programs of gettext. Needs Babel."""

from typing import Any

from django.core.management.base import BaseCommand

from scoring.management.catalogues import compiled, sources


class Command(BaseCommand):
    help = "Compiles the catalogues; run it whenever one of them was changed."

    def handle(self, *args: Any, **options: Any) -> None:
        for source in sources():
            source.with_suffix(".mo").write_bytes(compiled(source))
            if options["verbosity"]:
                self.stdout.write(f"Compiled {source.parent.parent.name}.")
