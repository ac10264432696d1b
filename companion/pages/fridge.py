"""A family's rules as one page for the fridge: every clause in force, to print from the browser."""

from collections.abc import Iterator
from gettext import NullTranslations
from html import escape

from companion.rules.articles import Article
from companion.rules.family import HouseRules
from companion.rules.sheets import sheet

STYLE = (
    "@page{size:A4;margin:12mm}body{font:10.5pt/1.35 sans-serif;columns:2;column-gap:8mm}"
    "h1,p.base{column-span:all;margin:0 0 4mm}li{break-inside:avoid;margin:0 0 1.5mm}"
    "ul{list-style:none;padding:0;margin:0}.own{font-weight:bold}small{display:block;color:#555}"
)


def fridge_page(rules: HouseRules, language: str, words: NullTranslations) -> str:
    """The page as HTML; the family's own rules come first, and in bold letters."""
    base = sheet(rules.base)
    known = {article.id for article in base.articles if article.option is None}
    own = [article for article in rules.articles if article.id not in known]
    rest = [article for article in rules.articles if article.id in known]
    lines = [
        "<!doctype html>",
        f'<html lang="{escape(language)}"><head><meta charset="utf-8">',
        f"<title>{escape(rules.name)}</title><style>{STYLE}</style></head><body>",
        f"<h1>{escape(rules.name)}</h1>",
        f'<p class="base">{escape(words.gettext(base.title))}. {escape(words.gettext(base.about))}'
        f"<br><small>{escape(str(rules))}</small></p><ul>",
        *_items(own, words, ' class="own"'),
        *_items(rest, words, ""),
        "</ul></body></html>",
    ]
    return "\n".join(lines) + "\n"


def _items(articles: list[Article], words: NullTranslations, kind: str) -> Iterator[str]:
    for article in articles:
        reading = f"<small>{escape(words.gettext(article.reading))}</small>"
        text = escape(words.gettext(article.text))
        yield (
            f"<li{kind}><b>{escape(article.id)}</b> {text}{reading if article.reading else ''}</li>"
        )
