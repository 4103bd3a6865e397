"""Settings of the site. Everything that differs between two clubs comes from the environment.

The variables are listed in docs/deployment.md; a file ``.env`` may hold them. Nothing has to be set to try the site: it then keeps a SQLite
database, a secret key and collected static files in ``var/``, or in ``VAR_DIR``.
"""

from contextlib import suppress
from pathlib import Path

from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from environs import Env, validate

from mahjong_site.logs import is_server_error
from mahjong_site.mail_folder import mail_folder
from mahjong_site.paths import HEALTH
from mahjong_site.secret import kept_secret_key
from scoring.site.addresses import https_origins
from scoring.site.checkout import in_checkout
from scoring.site.club_time import known_time_zone, turning_hour
from scoring.site.databases import require_supported
from scoring.site.env_file import read_env_file
from scoring.site.oidc import OidcServer

BASE_DIR = Path(__file__).resolve().parent.parent

ENV_FILE = read_env_file(BASE_DIR)
env = Env()

# What the site keeps. The checkout itself may be read-only.
VAR_DIR = in_checkout("VAR_DIR", env.str("VAR_DIR", "") or str(BASE_DIR / "var"), BASE_DIR)
with suppress(OSError):
    VAR_DIR.mkdir(parents=True, exist_ok=True)

DEBUG = env.bool("DEBUG", False)
SECRET_KEY = env.str("SECRET_KEY", "") or kept_secret_key(VAR_DIR / "secret_key")
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", ["localhost", "127.0.0.1", "[::1]"], subcast=str.strip)
# ``make run`` says by which names it is found: whoever finds it may use it.
TRIED_ON: list[str] = env.list("TRIED_ON", [])
ALLOWED_HOSTS += TRIED_ON
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", [], subcast=str.strip)
SITE_NAME = env.str("SITE_NAME", "Mah Jongg Club")

# A site that names its https address is served over https, and then insists on it everywhere.
HTTPS = bool(https_origins(CSRF_TRUSTED_ORIGINS))

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    # Always: while it has rows, no account could be deleted without it. The rest is there where OIDC is.
    "allauth.socialaccount",
    "allauth.usersessions",
    "csp",
    "django_filters",
    "django_htmx",
    "rest_framework",
    # Nothing signs in with its tokens any more: exports and logs of before name them.
    "rest_framework.authtoken",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "scoring.apps.ScoringConfig",
]

MIDDLEWARE = [
    "mahjong_site.request_ids.RequestIds",
    "mahjong_site.request_log.RequestLog",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "mahjong_site.admission.Admission",
    # A table page is a sixth of its size. Random bytes in each answer keep its length from telling.
    "django.middleware.gzip.GZipMiddleware",
    "mahjong_site.caching.SharedCaches",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "mahjong_site.club_settings.ClubClock",
    "mahjong_site.languages.Languages",
    "mahjong_site.first_run.FirstRunMiddleware",
    "mahjong_site.body_limit.BodyLimit",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "mahjong_site.names_for_readers.NamesForReaders",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "mahjong_site.sign_in.SignIns",
    "mahjong_site.second_factor.SecondFactor",
    "mahjong_site.wrong_method.WrongMethod",
    "mahjong_site.null_characters.NullCharacters",
    "mahjong_site.desk_values.DeskValues",
]

ROOT_URLCONF = "mahjong_site.urls"
WSGI_APPLICATION = "mahjong_site.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "scoring.web.context.site",
            ],
        },
    },
]

# ----- data ---------------------------------------------------------------------------------------

if env.str("DATABASE_URL", None) == "":
    # A variable that was lost on the way must not lead to another database.
    raise ImproperlyConfigured(
        "DATABASE_URL is empty: name the database, or leave the line out to use SQLite in VAR_DIR."
    )
DATABASES = {
    "default": env.dj_db_url("DATABASE_URL", f"sqlite:///{VAR_DIR / 'club.sqlite3'}"),
}
require_supported(DATABASES["default"])
DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    if DATABASES["default"]["NAME"] != ":memory:":
        database_file = in_checkout("DATABASE_URL", DATABASES["default"]["NAME"], BASE_DIR)
        DATABASES["default"]["NAME"] = str(database_file)
    # IMMEDIATE: a transaction takes the write lock when it begins, so two phones wait for each other
    # instead of failing half-way. FULL: a hand that was acknowledged survives a power cut.
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": (
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; "
            "PRAGMA cache_size=-32000; PRAGMA temp_store=MEMORY;"
        ),
    }
    # A real file: threads that share a database in memory lock each other out at once.
    DATABASES["default"]["TEST"] = {"NAME": VAR_DIR / "test.sqlite3"}
else:
    DATABASES["default"]["CONN_MAX_AGE"] = env.int("CONN_MAX_AGE", 60)
    # A server that is gone without a word is found out in a minute, not in two hours. What the
    # address says (?connect_timeout=20) wins.
    DATABASES["default"]["OPTIONS"] = {
        "connect_timeout": 5,
        "keepalives_idle": 30,
        "keepalives_interval": 10,
        "keepalives_count": 3,
        "tcp_user_timeout": 30_000,
        **DATABASES["default"].get("OPTIONS", {}),
    }

# Of the threads of a process, two are left for whoever asks how the site is; of the rest, a part may
# write at once. ``make serve`` starts as many threads as this says.
THREADS = env.int("THREADS", 12, validate=validate.Range(min=4))
REQUESTS_AT_ONCE = THREADS - 2
WRITES_AT_ONCE = max(1, THREADS // 3)

DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

CACHES = {"default": env.dj_cache_url("CACHE_URL", "locmem://")}

# ----- people -------------------------------------------------------------------------------------

AUTHENTICATION_BACKENDS = [
    "mahjong_site.sign_in.PasswordBackend",
    # Never asked for a password: sessions of before name it.
    "django.contrib.auth.backends.ModelBackend",
]
LOGIN_URL = "sign_in"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "home"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
] + [
    {"NAME": "scoring.services.password_length.LongEnough"},
    {"NAME": "scoring.services.club_words.NotAClubWord"},
    {"NAME": "scoring.services.tokens.EndTokens"},
]

# Who has an account was invited: nobody signs up. See scoring.web.account.adapter.
ACCOUNT_ADAPTER = "scoring.web.account.adapter.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*"]
ACCOUNT_EMAIL_NOTIFICATIONS = True
# No mail to strangers: anybody may type any address.
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_MAX_EMAIL_ADDRESSES = 3
ACCOUNT_FORMS = {
    "add_email": "scoring.web.account.forms.MailForm",
    "change_password": "scoring.web.account.forms.ChangePasswordForm",
    "set_password": "scoring.web.account.forms.SetPasswordForm",
    "reset_password_from_key": "scoring.web.account.forms.ResetPasswordForm",
}
ACCOUNT_PASSWORD_RESET_TOKEN_GENERATOR = "scoring.services.reset_links.ResetLinks"
# Wrong passwords and codes are counted by scoring.services.sign_in, how often an address asks by
# the rates below. What is left is how many mails go to one address.
ACCOUNT_RATE_LIMITS = {
    **dict.fromkeys(("change_password", "manage_email", "reauthenticate", "login")),
    **dict.fromkeys(("login_failed", "reset_password_from_key", "signup")),
    "reset_password": "5/h/key",
}
MFA_ADAPTER = "scoring.web.account.adapter.SecondFactorAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_RATE_LIMITS = False
# Accounts come from invitations: nobody keeps the owner of a mail address out of one by signing up with it.
MFA_ALLOW_UNVERIFIED_EMAIL = True
MFA_TOTP_TOLERANCE = 1
MFA_FORMS = {
    "activate_totp": "scoring.web.account.forms.AppForm",
    "add_webauthn": "scoring.web.account.forms.PasskeyForm",
    "authenticate": "scoring.web.account.forms.SecondFactorForm",
    "authenticate_webauthn": "scoring.web.account.forms.WithPasskeyForm",
    "login_webauthn": "scoring.web.account.forms.SignInWithPasskeyForm",
    "reauthenticate": "scoring.web.account.forms.CodeAgainForm",
    "reauthenticate_webauthn": "scoring.web.account.forms.PasskeyAgainForm",
}
# Signing in by another server of the club's, if there is one: see scoring.web.account.oidc.
OIDC = OidcServer.read(env.str)
SOCIALACCOUNT_ADAPTER = "scoring.web.account.oidc.Adapter"
SOCIALACCOUNT_EMAIL_VERIFICATION = "none"
if OIDC.usable:
    INSTALLED_APPS.append("allauth.socialaccount.providers.openid_connect")
    SOCIALACCOUNT_PROVIDERS = OIDC.as_providers()
# A link to a new password, from a mail or from an organiser, is good for a day.
PASSWORD_RESET_TIMEOUT = 60 * 60 * 24

# EMAIL_…, and DEFAULT_FROM_EMAIL where the address goes on ?_default_from_email=club@example.org
mail = env.dj_email_url("EMAIL_URL", "console:")
if "EMAIL_BACKEND" not in mail:
    raise ImproperlyConfigured(
        "EMAIL_URL begins with submission:, smtp:, file: or console:, such as "
        "submission://user:password@mail.example:587."
    )
if mail["EMAIL_BACKEND"].endswith(".filebased.EmailBackend"):
    mail["EMAIL_FILE_PATH"] = mail_folder(env.str("EMAIL_URL"), VAR_DIR)
globals().update(mail)
# Without a mail server notices stand on the site alone.
SENDS_MAIL = not mail["EMAIL_BACKEND"].endswith((".console.EmailBackend", ".dummy.EmailBackend"))
# What push services know this site by.
VAPID_KEY = VAR_DIR / "push_key.pem"

# Where links in mails lead: the site's own address.
SITE_URL = env.str("SITE_URL", "").rstrip("/") or next(
    (origin for origin in CSRF_TRUSTED_ORIGINS if "*" not in origin),
    f"http://{env.str('HOST', '127.0.0.1')}:{env.str('PORT', '8000')}",
)

# ----- words and times ----------------------------------------------------------------------------

LANGUAGES = [("en", "English"), ("nl", "Nederlands"), ("zh-hant", "繁體中文")]
# For who has chosen none, and whose browser asks for none that there is. The name, the language and
# the time zone are what the club has until its own page (/club/) says otherwise.
LANGUAGE_CODE = env.str("LANGUAGE_CODE", "en", validate=validate.OneOf(dict(LANGUAGES)))
LOCALE_PATHS = [BASE_DIR / "scoring" / "locale"]
LANGUAGE_COOKIE_AGE = 60 * 60 * 24 * 365
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_SECURE = HTTPS
FORMAT_MODULE_PATH = "mahjong_site.formats"
USE_I18N = True
USE_TZ = True
# An evening ends when the day turns: what is played after midnight still belongs to it.
TIME_ZONE = env.str("TIME_ZONE", "UTC", validate=known_time_zone)
DAY_TURNS_AT = turning_hour(env.str("DAY_TURNS_AT", "06:00"))

# ----- files --------------------------------------------------------------------------------------

STATIC_URL = "static/"
STATIC_ROOT = VAR_DIR / "static"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "mahjong_site.static_files.HashedFiles"},
}
WHITENOISE_ALLOW_ALL_ORIGINS = False  # no other site takes files from here
# Browsers keep these for ever. Told by its name: collecting leaves the files of earlier releases
# there, which are in no list of today.
WHITENOISE_IMMUTABLE_FILE_TEST = r"\.[0-9a-f]{12}\.[^./]+$"
if DEBUG:
    STORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"

# ----- defence ------------------------------------------------------------------------------------

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "worker-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    },
}
X_FRAME_OPTIONS = "DENY"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_AGE = 60 * 60 * 24 * 90
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_SECURE = HTTPS
CSRF_FAILURE_VIEW = "mahjong_site.errors.csrf_failure"
SECURE_SSL_REDIRECT = HTTPS
# Whoever asks for the site's health stands beside it, behind the proxy that does https.
SECURE_REDIRECT_EXEMPT = [rf"^{HEALTH}$"]
# Browsers keep such a promise for as long as it says, and nobody can take it back: asked for by name.
SECURE_HSTS_SECONDS = env.int("HSTS_SECONDS", 0, validate=validate.Range(min=0)) if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = env.bool("HSTS_SUBDOMAINS", False)
SECURE_HSTS_PRELOAD = env.bool("HSTS_PRELOAD", False)
SILENCED_SYSTEM_CHECKS = ["security.W004", "security.W005", "security.W021"]
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
DATA_UPLOAD_MAX_MEMORY_SIZE = 1_000_000
# The form of the workshop has some for each pattern of a book, of which there may be 400.
DATA_UPLOAD_MAX_NUMBER_FIELDS = 5_000

# How many wrong passwords in a row stop a name for a while; scoring.services.sign_in says who is meant.
# How often an address may try at all, the rates below say.
SIGN_IN_FAILURES = env.int("SIGN_IN_FAILURES", 10, validate=validate.Range(min=1))

# ----- the API ------------------------------------------------------------------------------------

# How often something may be asked for: "600/min".
RATE = validate.Regexp(
    r"\d+/(s|sec|second|m|min|minute|h|hour|d|day)$", error="is no rate such as 600/min."
)
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "scoring.api.token.authentication.ApiTokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticatedOrReadOnly"],
    "DEFAULT_SCHEMA_CLASS": "scoring.api.schema.ApiSchema",
    "DEFAULT_PAGINATION_CLASS": "scoring.api.pagination.Pages",
    "DEFAULT_FILTER_BACKENDS": ["django_filters.rest_framework.DjangoFilterBackend"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["scoring.api.parsing.ShallowJSONParser"],
    "EXCEPTION_HANDLER": "scoring.api.refusals.exception_handler",
    # Counted in the cache: with locmem each worker counts for itself, so name a CACHE_URL that the
    # workers share where the rates have to hold exactly.
    "DEFAULT_THROTTLE_CLASSES": ["scoring.api.throttles.Visitors"],
    "DEFAULT_THROTTLE_RATES": {
        "visitor": env.str("VISITOR_RATE", "600/min", validate=RATE),
        "score": env.str("SCORE_RATE", "120/min", validate=RATE),
        "calculator": env.str("CALCULATOR_RATE", "600/min", validate=RATE),
        "picture": env.str("PICTURE_RATE", "60/min", validate=RATE),
        "seats": env.str("SEATS_RATE", "60/min", validate=RATE),
        "sign_in": env.str("SIGN_IN_RATE", "30/min", validate=RATE),
        "token": env.str("TOKEN_RATE", "10/min", validate=RATE),
    },
    # How many proxies stand before the site: whose X-Forwarded-For says where a request came from.
    "NUM_PROXIES": env.int("NUM_PROXIES", 0, validate=validate.Range(min=0)),
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
SPECTACULAR_SETTINGS = {
    "TITLE": SITE_NAME,
    "VERSION": "1.0.0",
    "OAS_VERSION": "3.1.1",
    "SCHEMA_PATH_PREFIX": r"/api/v1",
    "COMPONENT_SPLIT_REQUEST": True,
    "ENUM_NAME_OVERRIDES": {
        "Wind": "scoring.models.games.Wind",
        "WindOrItsName": "scoring.api.score.serializers.WIND_NAMES",
    },
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "scoring.api.schema.describe",
    ],
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "SWAGGER_UI_SETTINGS": {"deepLinking": True, "defaultModelsExpandDepth": 0},
}

# ----- logs ---------------------------------------------------------------------------------------

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {
        "is_server_error": {"()": "django.utils.log.CallbackFilter", "callback": is_server_error},
    },
    "formatters": {
        "json": {"()": "mahjong_site.logs.JsonLines"},
        "readable": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"},
    },
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": "readable" if DEBUG else "json",
        },
    },
    "root": {"handlers": ["console"], "level": "WARNING"},
    "loggers": {
        "scoring": {"level": "INFO"},
        "mahjong_site": {"level": "INFO"},
        # Who tries the site wants to go on reading the sign-ins. Errors are told all the same.
        "mahjong_site.request_log": {
            "level": "INFO" if env.bool("LOG_REQUESTS", not TRIED_ON) else "WARNING"
        },
        # Its own handlers would say the same again, and send mails.
        "django": {"handlers": [], "level": "WARNING"},
        "django.request": {"filters": ["is_server_error"]},
    },
}
