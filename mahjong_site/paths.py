"""Addresses that the site itself knows by their beginning. Nothing but names: the port needs them first."""

API = "/api/"
HEALTH = "healthz"
