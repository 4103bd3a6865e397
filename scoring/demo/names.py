"""The names of the people of the demo club."""

from collections.abc import Container, Iterator
from itertools import count as counting
from itertools import islice, product

PEOPLE = (
    "Margaret Whitcombe",
    "José Luis Fernández-Ibáñez",
    "Ruth Abrahams",
    "Wen Li",
    "Siân Llewellyn-Price",
    "Bob Tanner",
    "Françoise Delacroix",
    "Hiroko Yamashita",
    "Ngozi Okonkwo",
    "Jürgen Bäumler",
    "Dot Pell",
    "Aoife Ní Dhonnchadha",
    "Priya Raghunathan",
    "Thomas Ashby",
    "Øyvind Strømsnes",
    "Estelle Marchetti",
    "Abdul-Rahman El-Masri",
    "Beatrix van der Meulen",
    "Harold Finch",
    "Zofia Świątkowska",
    "Maximiliane von Hohenfels-Rodenbach",
    "Grace Mbeki",
    "Kwok-Wai Cheung",
    "Ed Nash",
    "Ludmila Procházková",
    "Constance Featherstonehaugh",
    "Rosalind Achebe",
    "Peter Quill",
    "İpek Yıldırım",
    "Marguerite Beauchêne",
    "Sunita Kaur Dhillon",
    "Oskar Lindqvist",
)
GIVEN = (
    *("Alma", "Björn", "Carmen", "Dieter", "Eszter", "Florence", "Gwen", "Hassan", "Ines", "Jakub"),
    *("Keiko", "Leopold", "Maeve", "Nils", "Olga", "Pablo", "Quentin", "Renée", "Stella", "Tariq"),
    *(
        "Ursula",
        "Viktor",
        "Winifred",
        "Xenia",
        "Yusuf",
        "Zelda",
        "Anselm",
        "Brigid",
        "Chidi",
        "Dilek",
    ),
)
FAMILY = (
    *("Archer", "Brightwell", "Castañeda", "Dunmore", "Eriksen", "Fitzgerald", "Grünwald", "Hale"),
    *("Ishikawa", "Jankowski", "Keller", "Lefèvre", "Moreau", "Novák", "Oyelaran", "Papadopoulos"),
    *("Quist", "Rosenbaum", "Szabó", "Thackeray", "Underhill", "Vasconcelos", "Wainwright", "Xu"),
    *("Yeats-Brown", "Zimmermann", "Atkinson", "Bergström", "Chaudhary", "Desrosiers"),
)


def names(count: int, taken: Container[str] = ()) -> list[str]:
    """``count`` different names, none of which (in lower case) is ``taken``.

    The first few are always the same, so that a demo looks the same everywhere.
    """
    return list(islice((name for name in _all() if name.lower() not in taken), count))


def _all() -> Iterator[str]:
    yield from PEOPLE
    for generation in counting(1):
        namesake = f" {generation}" if generation > 1 else ""
        # The family name changes with every name, so that neighbours do not look like one family.
        for shift, (turn, given) in product(range(len(FAMILY)), enumerate(GIVEN)):
            yield f"{given} {FAMILY[(turn + shift) % len(FAMILY)]}{namesake}"
