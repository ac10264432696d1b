"""The languages the companion speaks, and where their catalogues lie."""

import gettext
from functools import lru_cache
from importlib.resources import files

from companion.referee.settings import LANGUAGES

DOMAIN = "companion"
FOLDER = str(files("companion.screens").joinpath("catalogues"))
SPOKEN = {"en": "English", "de": "Deutsch", "nl": "Nederlands"}
"""Each language by its own name, so that it is found by those who speak no other."""


@lru_cache(8)
def words(language: str) -> gettext.NullTranslations:
    """The translations to speak with; English, in which everything is written, needs none.

    A catalogue that is not there speaks English as well: a table goes on in the wrong language
    rather than not at all.
    """
    if language == LANGUAGES[0]:
        return gettext.NullTranslations()
    return gettext.translation(DOMAIN, FOLDER, [language], fallback=True)
