"""The calls, one module a subject: read the request, call one thing below, answer."""
