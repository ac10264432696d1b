"""One page per rule sheet, from the articles that judge the moves, with a picture of its board."""

from collections.abc import Iterator

from companion.rules import SHEETS
from companion.rules.articles import Article, Option, Sheet
from companion.screens.svg import board_svg

WRITTEN = "<!-- Written by `make docs` from companion/rules; change it there. -->"


def rules_pages() -> dict[str, str]:
    """Every page and picture by its path below docs/."""
    pages = {"rules/README.md": _text(_contents())}
    for sheet in SHEETS.values():
        pages[f"rules/{sheet.id}.md"] = _text(_page(sheet))
        picture = board_svg(sheet.board, sheet.marks, title=f"The board of {sheet.title}")
        pages[f"rules/pictures/{sheet.id}.svg"] = picture
    return pages


def _text(lines: Iterator[str]) -> str:
    return "\n".join(lines) + "\n"


def _contents() -> Iterator[str]:
    yield WRITTEN
    yield "# The rules, sheet by sheet"
    yield ""
    yield (
        "The companion knows five printed rule sheets and two games that no sheet settles. Each "
        "clause has an id, here and in every message at the table, so that whoever asks why can "
        "be shown the rule. Where a sheet is silent or contradicts itself we chose what a family "
        "would expect; that is marked as *our reading*, and you may disagree. `companion rules` "
        "prints the same text."
    )
    yield ""
    yield "| sheet | name | board | in short |"
    yield "|---|---|---|---|"
    for sheet in SHEETS.values():
        track = sheet.board.walked
        size = "none" if track is None else f"{track.track} squares"
        yield f"| [`{sheet.id}`]({sheet.id}.md) | {sheet.title} | {size} | {sheet.about} |"


def _page(sheet: Sheet) -> Iterator[str]:
    yield WRITTEN
    yield f"# {sheet.title} (`{sheet.id}`)"
    yield ""
    yield f"{sheet.about}"
    yield ""
    yield f"Source: {sheet.source}. For 2 to 4 players. {_what_is_needed(sheet)}"
    yield ""
    yield f"![The board of {sheet.title}](pictures/{sheet.id}.svg)"
    own = [a for a in sheet.articles if not a.id.startswith("O") and a.option is None]
    variants = [a for a in sheet.articles if a.option is not None]
    order = [a for a in sheet.articles if a.id.startswith("O")]
    yield from _clauses("The rules", own)
    if variants:
        yield from _clauses("Variants", variants, "Each has its own switch, in any combination.")
    if sheet.options:
        yield from _options(sheet)
    yield from _clauses("Order at the table", order, "The same on every sheet.")


def _what_is_needed(sheet: Sheet) -> str:
    faces = ", ".join(sheet.die.faces)
    board = sheet.board.walked
    if board is None:
        return f"The die shows {faces}; there is no board."
    way = "anticlockwise" if board.mirrored else "clockwise"
    return (
        f"The die shows {faces}. The board has {board.track} squares, which are numbered "
        f"along the way of the pieces, {way}."
    )


def _clauses(title: str, articles: list[Article], about: str = "") -> Iterator[str]:
    yield ""
    yield f"## {title}"
    yield ""
    if about:
        yield about
        yield ""
    for article in articles:
        switch = f" (`{article.option}`)" if article.option else ""
        yield f"- **{article.id}**{switch} {article.text}"
        if article.reading:
            yield f"  *Our reading: {article.reading}*"


def _options(sheet: Sheet) -> Iterator[str]:
    clauses = {article.option: article.id for article in sheet.articles if article.option}
    yield ""
    yield "## Options"
    yield ""
    yield "| option | values | if not chosen | clause |"
    yield "|---|---|---|---|"
    for option in sheet.options:
        values = ", ".join(_value(value) for value in option.allowed)
        clause = clauses.get(option.name) or _clause_naming(sheet, option)
        yield f"| `{option.name}` | {values} | {_value(option.default)} | {clause} |"


def _clause_naming(sheet: Sheet, option: Option) -> str:
    """The clause that speaks of an option which adds no clause of its own."""
    wanted = f"option {option.name}"
    return next((a.id for a in sheet.articles if wanted in f"{a.text} {a.reading}"), "")


def _value(value: bool | int) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value)
