"""An OpenID Connect server for tests: it signs in whoever the test says, without asking."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa

CLIENT, SECRET = "club", "of the club"


class OidcServer(ThreadingHTTPServer):
    """``person`` holds the claims of who is signed in there; empty declines.

    :ivar userinfo: what the call of that name adds or replaces.
    :ivar asked: the queries with which browsers came.
    """

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answers)
        self.person: dict[str, object] = {}
        self.userinfo: dict[str, object] = {}
        self.asked: list[dict[str, str]] = []
        self.key = rsa.generate_private_key(public_exponent=65537, key_size=2048)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def id_token(self) -> str:
        times = {"iat": int(time.time()), "exp": int(time.time()) + 60}
        claims = {"iss": self.url, "aud": CLIENT, **times, **self.person}
        return jwt.encode(claims, self.key, algorithm="RS256", headers={"kid": "one"})


class Answers(BaseHTTPRequestHandler):
    """One request."""

    server: OidcServer

    def do_GET(self) -> None:
        asked = urlsplit(self.path)
        if asked.path == "/authorize":
            self._authorize({name: values[0] for name, values in parse_qs(asked.query).items()})
        elif asked.path == "/userinfo":
            self._json({**self.server.person, **self.server.userinfo})
        elif asked.path == "/jwks":
            key = jwt.algorithms.RSAAlgorithm.to_jwk(self.server.key.public_key(), as_dict=True)
            self._json({"keys": [{**key, "kid": "one", "alg": "RS256"}]})
        else:
            self._json(self._configuration())

    def do_POST(self) -> None:
        sent = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        right = sent["client_secret"] == [SECRET] and sent["code_verifier"]
        if right:
            self._json({"access_token": "token", "id_token": self.server.id_token()})
        else:
            self.send_error(401)

    def _authorize(self, query: dict[str, str]) -> None:
        self.server.asked.append(query)
        answer = {"code": "code"} if self.server.person else {"error": "access_denied"}
        answer["state"] = query["state"]
        self.send_response(302)
        self.send_header("Location", f"{query['redirect_uri']}?{urlencode(answer)}")
        self.end_headers()

    def _configuration(self) -> dict[str, object]:
        names = {"authorization": "authorize", "token": "token", "userinfo": "userinfo"}
        addresses = {f"{name}_endpoint": f"{self.server.url}/{at}" for name, at in names.items()}
        return {"issuer": self.server.url, "jwks_uri": f"{self.server.url}/jwks", **addresses}

    def _json(self, answer: object) -> None:
        body = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_arguments: object) -> None:
        """Say nothing on the terminal."""


@contextmanager
def oidc_server() -> Iterator[OidcServer]:
    """One that runs for as long as the block."""
    with OidcServer() as server:
        # It looks so often, in seconds, whether it is to end.
        threading.Thread(target=server.serve_forever, args=[0.01], daemon=True).start()
        try:
            yield server
        finally:
            server.shutdown()
