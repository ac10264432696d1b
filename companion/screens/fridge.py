"""A family's rules as one page for the fridge: every clause in force, to print from the browser."""

from collections import Counter
from collections.abc import Iterable, Iterator, Set
from gettext import NullTranslations
from html import escape

from companion.rules.articles import Article
from companion.rules.family import HouseRules
from companion.rules.sheets import sheet
from companion.screens.house_rules import PRINT, YOURS_HOLD, name_of

STYLE = (
    "@page{size:A4;margin:12mm}body{font:10.5pt/1.35 sans-serif;columns:2;column-gap:8mm}"
    "h1,p.base{column-span:all;margin:0 0 4mm}li{break-inside:avoid;margin:0 0 1.5mm}"
    "ul{list-style:none;padding:0;margin:0}.own{font-weight:bold}"
    "small{display:block;color:#555;font-weight:normal}.long{font-size:9pt}.longest{font-size:8pt}"
)
SIZES = ((3000, ""), (4400, "long"))
"""Letters up to which the page is printed in one size, so that it stays one page."""
LONGEST = "longest"


def fridge_page(
    rules: HouseRules, language: str, words: NullTranslations, *, served: bool = False
) -> str:
    """The page as HTML; the family's own rules come first, and in bold letters.

    A file that stands alone has its style in it; a page that a box serves names its files.
    """
    base = sheet(rules.base)
    known = {article.id for article in base.articles if article.option is None}
    own = [article for article in rules.articles if article.id not in known]
    rest = [article for article in rules.articles if article.id in known]
    shared = {one for one, times in Counter(a.reading for a in rest).items() if times > 1}
    items = [
        *_items(own, words, ' class="own"', dict(_numbers(rules, words)), shared),
        *_items(rest, words, "", {}, shared),
        *_shared(rest, words, shared - {""}),
    ]
    letters = sum(map(len, items))
    size = next((size for most, size in SIZES if letters <= most), LONGEST)
    lines = [
        "<!doctype html>",
        f'<html lang="{escape(language)}"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(rules.name)}</title>{_SERVED if served else _ALONE}</head>",
        f'<body class="{size}">{_button(words) if served else ""}',
        f"<h1>{escape(rules.name)}</h1>",
        f'<p class="base">{escape(words.gettext(base.title))}. {escape(words.gettext(base.about))}'
        f"<br><small>{escape(str(rules))}</small></p>",
        *_hold(own, words),
        "<ul>",
        *items,
        "</ul></body></html>",
    ]
    return "\n".join(lines) + "\n"


_ALONE = f"<style>{STYLE}</style>"
_SERVED = (
    '<link rel="icon" href="/icon.svg"><link rel="stylesheet" href="/fridge.css">'
    '<script type="module" src="/fridge.js"></script>'
)


def _button(words: NullTranslations) -> str:
    return f"<button>{escape(words.gettext(PRINT))}</button>"


def _hold(own: list[Article], words: NullTranslations) -> Iterator[str]:
    """The base's clauses are printed as they are, so it is said which of two holds."""
    if own:
        yield f'<p class="base">{escape(words.gettext(YOURS_HOLD))}</p>'


def _numbers(rules: HouseRules, words: NullTranslations) -> Iterator[tuple[str, str]]:
    """What is counted, by the option that chooses it: `Pieces: 3.`"""
    for name, _, value in (rule.partition("=") for rule in rules.rules):
        if value:
            yield name, f"{name_of(name, words)}: {value}. "


def _items(
    articles: Iterable[Article],
    words: NullTranslations,
    kind: str,
    numbers: dict[str, str],
    shared: Set[str],
) -> Iterator[str]:
    for article in articles:
        reading = f"<small>{escape(words.gettext(article.reading))}</small>"
        alone = article.reading and article.reading not in shared
        text = escape(numbers.get(article.option or "", "") + words.gettext(article.text))
        yield f"<li{kind}><b>{escape(article.id)}</b> {text}{reading if alone else ''}</li>"


def _shared(
    articles: Iterable[Article], words: NullTranslations, shared: Set[str]
) -> Iterator[str]:
    """What is said of several clauses, once: `O1, O2: ...`."""
    said: dict[str, list[str]] = {}
    for article in articles:
        if article.reading in shared:
            said.setdefault(article.reading, []).append(article.id)
    for reading, ids in said.items():
        text = f"{', '.join(ids)}: {words.gettext(reading)}"
        yield f"<li><small>{escape(text)}</small></li>"
