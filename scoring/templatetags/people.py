"""The people who do things, by names that anybody may read."""

from django import template

from scoring.models import people

register = template.Library()

register.filter("person_name", people.person_name)
