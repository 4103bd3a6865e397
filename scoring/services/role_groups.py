"""The groups whose accounts have a role, with the permission that gives it."""

from django.contrib.auth.models import Group, Permission

from scoring.models.people import ORGANISERS, OWNERS

PERMISSION_OF = {ORGANISERS: "organise_club", OWNERS: "own_club"}


def role_group(name: str) -> Group:
    """The group of that name, as the migrations make it, also where somebody has deleted it."""
    group, _created = Group.objects.get_or_create(name=name)
    group.permissions.add(Permission.objects.get(codename=PERMISSION_OF[name]))
    return group
