"""The languages to choose from, each by its own name, for people who speak no other.

Everything is written in English, the first; each other one is a catalogue in `screens/`.
"""

LANGUAGES = {"en": "English", "de": "Deutsch", "nl": "Nederlands"}
ENGLISH = "en"
