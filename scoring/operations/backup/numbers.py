"""The numbers of rows after a restore: none is given again, since a phone may hold a hand of a game that is gone."""

from collections.abc import Iterable, Mapping

# More than a club gives between two backups.
SKIPPED = 10_000


def last_numbers(
    before: Mapping[str, int], restored: Mapping[str, int], telling: Iterable[str]
) -> dict[str, int]:
    """The number after which each table goes on, by its name or that of its sequence.

    Where what was there is gone, or is not what the backup was made of, nobody knows which numbers were given since:
    then :data:`SKIPPED` are left out.

    :param before: the last numbers of the database that is replaced; empty if it is gone or damaged.
    :param restored: those of the backup.
    :param telling: the names for games and for hands. If they have more in the backup than before, or none before, what was
        there is another database.
    """
    names = {*before, *restored, *telling}
    last = {name: max(before.get(name, 0), restored.get(name, 0)) for name in names}
    is_known = any(before.get(name) for name in telling) and not any(
        before.get(name, 0) < restored.get(name, 0) for name in telling
    )
    return last if is_known else {name: number + SKIPPED for name, number in last.items()}
