"""Collects every sentence to be translated into the catalogues: `make languages`.

Phrases are found where the code marks them, the rules' clauses in the sheets themselves. A
catalogue keeps what it has; what is new in it is empty until somebody translates it.
"""

from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po, write_po

from companion.rules import SHEETS
from companion.rules.house import SWITCHES
from companion.screens import languages, phrases
from companion.screens.languages import DOMAIN

FOLDER = Path(languages.FOLDER)
SCREENS = Path(phrases.__file__).parent
SOURCES = (
    "phrases.py",
    "labels.py",
    "steps.py",
    "bench.py",
    "page.py",
    "house.py",
    "house_rules.py",
)
KEYWORDS = {"N_": None, "NN_": (1, 2), "gettext": None, "ngettext": (1, 2)}

_HEADERS_OF_NO_USE = tuple(
    f'"{name}:'
    for name in (
        "Project-Id-Version",
        "Report-Msgid-Bugs-To",
        "POT-Creation-Date",
        "PO-Revision-Date",
        "Last-Translator",
        "Language-Team",
        "Generated-By",
    )
)

Message = str | tuple[str, ...]


def messages() -> Iterator[tuple[Message, str]]:
    """Every sentence (or pair of them, for one and for many) with a comment for translators."""
    for name in SOURCES:
        path = SCREENS / name
        for _, message, comments, _ in extract_from_file("python", path, KEYWORDS):
            yield tuple(message) if isinstance(message, tuple) else message, " ".join(comments)
    for sheet in SHEETS.values():
        yield sheet.title, f"the name of sheet {sheet.id}"
        yield sheet.about, f"about sheet {sheet.id}"
        for article in sheet.articles:
            yield article.text, f"clause {article.id}"
            if article.reading:
                yield article.reading, f"our reading of clause {article.id}"
    for switch in SWITCHES.values():
        yield switch.article.text, f"house rule {switch.article.id}"
        if switch.article.reading:
            yield switch.article.reading, f"our reading of house rule {switch.article.id}"


def template() -> Catalog:
    """A catalogue with every sentence, none of them translated."""
    found = Catalog(fuzzy=False)
    for message, comment in messages():
        found.add(message, auto_comments=[comment] if comment else [])
    return found


def path_of(language: str) -> Path:
    """Where a language's translations are written."""
    return FOLDER / language / "LC_MESSAGES" / f"{DOMAIN}.po"


def load(language: str) -> Catalog:
    """A language's catalogue as it is."""
    with path_of(language).open("rb") as file:
        return read_po(file, locale=language)


def save(language: str, catalogue: Catalog) -> None:
    """Write a catalogue in a form in which only what was changed differs."""
    catalogue.header_comment = f"# What the Ludo companion says, in {language}."
    catalogue.fuzzy = False
    path_of(language).parent.mkdir(parents=True, exist_ok=True)
    with path_of(language).open("wb") as file:
        write_po(file, catalogue, width=100, no_location=True, ignore_obsolete=True)
    kept = [
        line
        for line in path_of(language).read_text(encoding="utf-8").splitlines(keepends=True)
        if not line.startswith(_HEADERS_OF_NO_USE)
    ]
    path_of(language).write_text("".join(kept), encoding="utf-8")


def update(language: str) -> int:
    """Bring a catalogue up to date; returns how many sentences it lacks."""
    known = load(language) if path_of(language).exists() else Catalog(locale=language)
    known.update(template(), no_fuzzy_matching=True, update_header_comment=False)
    save(language, known)
    return sum(1 for message in known if message.id and not _translated(message.string))


def _translated(said: object) -> bool:
    return all(said) if isinstance(said, (tuple, list)) else bool(said)


def main() -> None:
    """Update every catalogue there is."""
    import sys

    for folder in sorted(FOLDER.iterdir()):
        lacking = update(folder.name)
        sys.stdout.write(f"{folder.name}: {lacking} sentences to translate\n")


if __name__ == "__main__":
    main()
