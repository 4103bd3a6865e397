"""The numbers of rows after a restore: none is given again, since a phone may hold a hand of a game that is gone."""

from collections.abc import Iterable, Mapping

# The tables of games and of hands tell whether the backup is of the database that it replaces.
TELLING = ("scoring_game", "scoring_hand")
# More than a club gives between two backups.
SKIPPED = 10_000


def last_numbers(
    before: Mapping[str, int], restored: Mapping[str, int], telling: Iterable[str] = TELLING
) -> dict[str, int]:
    """The number after which each table goes on, by its name or that of its sequence; none that begins with 1.

    Where what was there is gone, or is not what the backup was made of, nobody knows which numbers were given since:
    then :data:`SKIPPED` are left out.

    :param before: the last numbers of the database that is replaced; empty if it is gone or damaged. If it has given none
        to games and hands, or fewer than the backup, it is another database.
    :param restored: those of the backup.
    :param telling: the names for games and for hands.
    """
    given = {name: before.get(name, 0) for name in telling}
    last = {
        name: max(before.get(name, 0), restored.get(name, 0))
        for name in {*before, *restored, *given}
    }
    is_known = any(given.values()) and all(given[name] == last[name] for name in given)
    left_out = 0 if is_known else SKIPPED
    return {name: number + left_out for name, number in last.items() if number + left_out}
