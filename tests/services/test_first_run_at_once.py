"""Two who have the code of an empty club at once: one opens it, the other is told."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.contrib.auth.models import User
from django.db import connection

from scoring.services.first_run import StartRefused, digest_of, new_code, start_club

pytestmark = [
    *(pytest.mark.sqlite, pytest.mark.postgresql),
    pytest.mark.django_db(transaction=True),
]


def test_only_one_of_two_who_use_the_code_at_once_opens_the_club():
    digest, together = digest_of(new_code()), Barrier(2)

    def open_it(name):
        together.wait()
        try:
            start_club(digest, name, name=name, password="three green dragons")
        except StartRefused:
            return "refused"
        finally:
            connection.close()
        return name

    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(open_it, ("olga", "eve")))
    assert answers.count("refused") == 1
    assert [user.username in answers for user in User.objects.all()] == [True]
