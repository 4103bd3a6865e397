"""The WSGI entry point: what a production server loads."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "mahjong_site.settings")

django = get_wsgi_application()

# What stands on the settings and the models is imported once those are there.
from .last_resort import Outermost  # noqa: E402
from .start import start  # noqa: E402

start()
application = Outermost(django)
