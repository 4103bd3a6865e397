"""Static files under names that change with their content, those that scripts import too."""

from whitenoise.storage import CompressedManifestStaticFilesStorage

OUR_SCRIPTS = "scoring/js/*.js"


class HashedFiles(CompressedManifestStaticFilesStorage):
    """Django can follow ``import … from "./tiles.js"``, but asks to be told; here, for our scripts.

    Else a page would mix a new script with old ones it imports, and a phone without a network would
    miss those it never stored under that name.
    """

    patterns = (
        *CompressedManifestStaticFilesStorage.patterns,
        (
            OUR_SCRIPTS,
            CompressedManifestStaticFilesStorage._js_module_import_aggregation_patterns[1],
        ),
    )
