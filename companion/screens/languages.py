"""The catalogues: what the companion says, in each language but English."""

import gettext
from functools import lru_cache

from companion.languages import ENGLISH

DOMAIN = "companion"
FOLDER = f"{__file__.rpartition('/')[0]}/catalogues"


@lru_cache(8)
def words(language: str) -> gettext.NullTranslations:
    """The translations to speak with; English, in which everything is written, needs none.

    A catalogue that is not there speaks English as well: a table goes on in the wrong language
    rather than not at all.
    """
    if language == ENGLISH:
        return gettext.NullTranslations()
    return gettext.translation(DOMAIN, FOLDER, [language], fallback=True)
