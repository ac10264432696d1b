"""`companion rules`: the rules in our own words, from the same articles that judge the moves."""

import textwrap
from collections.abc import Iterator

import click

from companion.rules import SHEETS, sheet
from companion.rules.articles import Article, Option, Sheet
from companion.rules.errors import known

WIDTH = 78
INDENT = 6


@click.command()
@click.argument("name", metavar="[SHEET", required=False)
@click.argument("clause", metavar="[CLAUSE]]", required=False)
def rules(name: str | None, clause: str | None) -> None:
    """Print the rules of a sheet, one clause of it, or the sheets there are.

    What a sheet leaves open and we settled ourselves is marked as our reading.
    """
    lines = sheets() if name is None else whole(sheet(name))
    if name is not None and clause is not None:
        chosen = sheet(name)
        by_id = {article.id: article for article in chosen.articles}
        lines = printed(by_id[known(f"clause of {name}", clause.upper(), by_id)])
    for line in lines:
        click.echo(line)


def sheets() -> Iterator[str]:
    """The sheets there are."""
    for one in SHEETS.values():
        yield f"{click.style(f'{one.id:8}', bold=True)} {one.title}: {one.about}"
        if one.options:
            yield from _wrapped(f"options: {', '.join(map(option, one.options))}", 9)
    yield ""
    yield "companion rules SHEET prints a sheet, companion rules SHEET CLAUSE one clause."


def whole(one: Sheet) -> Iterator[str]:
    """A sheet from its first clause to its last."""
    yield click.style(one.title, bold=True)
    yield from _wrapped(f"{one.about} Source: {one.source}.", 0)
    for article in one.articles:
        yield ""
        yield from printed(article)


def printed(article: Article) -> Iterator[str]:
    """One clause, with our reading of it and the option that brings it in."""
    first, *rest = _wrapped(article.text, INDENT)
    yield click.style(f"{article.id:<{INDENT}}", fg="cyan", bold=True) + first.lstrip()
    yield from rest
    if article.reading:
        reading = list(_wrapped(f"Our reading: {article.reading}", INDENT))
        yield from (click.style(line, italic=True) for line in reading)
    if article.option:
        yield from _wrapped(f"Only with the option {article.option}.", INDENT)


def option(one: Option) -> str:
    """An option as it is written on the command line."""
    return one.name if one.allowed == (False, True) else f"{one.name}=N"


def _wrapped(text: str, indent: int) -> Iterator[str]:
    space = " " * indent
    yield from textwrap.wrap(text, WIDTH, initial_indent=space, subsequent_indent=space)
