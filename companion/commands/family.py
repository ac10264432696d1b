"""`companion family`: check a family's own rules, keep them, and print them for the fridge."""

import random
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import click

from companion.house_sheets import HouseSheets, read_file
from companion.languages import ENGLISH, LANGUAGES
from companion.rules.errors import BadInput
from companion.rules.family import HouseRules, Trial, from_line, trial
from companion.terminal.journal_option import journal_file, journal_option


def tried(line: str, games: int, seed: int) -> Trial:
    """Random games of a line of house rules; it runs in a process of its own."""
    rules = from_line(line)
    return trial(rules.playable(), games, random.Random(seed).random)


def read(what: str) -> HouseRules:
    """House rules from a file, or from a line that was shared."""
    path = Path(what)
    if ":" in what and not path.exists():
        return from_line(what)
    try:
        return read_file(path)
    except BadInput as fault:
        raise BadInput(f"{what}: {fault}") from None


@click.command()
@click.argument("what")
@click.option("--games", default=1000, show_default=True, type=click.IntRange(1), help="To try.")
@click.option("--page", type=click.Path(dir_okay=False, path_type=Path), help="Write a page.")
@click.option("--language", default=ENGLISH, type=click.Choice(tuple(LANGUAGES)), show_default=True)
@click.option("--keep", is_flag=True, help="Keep them at this box, for its menu and its page.")
@journal_option
def family(
    what: str, games: int, page: Path | None, language: str, keep: bool, journal: Path | None
) -> None:
    """Check the house rules in WHAT, a TOML file or a line that was shared.

    Contradictions are named with the way out. Random games show whether games end, and how long
    they take. With --keep they are kept beside the games of the journal.
    """
    rules = read(what)
    click.echo(click.style(rules.name, bold=True))
    for article in rules.articles:
        if article.option is not None:
            click.echo(f"  {article.id:4} {article.text}")
    with ProcessPoolExecutor(1) as apart:
        found = apart.submit(tried, str(rules), games, 1).result()
    if found.ended < found.games:
        raise BadInput(f"{found.games - found.ended} of {found.games} games did not end")
    click.echo(
        f"{found.games} random games ended, after {found.rolls:.0f} rolls on average and "
        f"{found.longest} at most: about {found.minutes():.0f} minutes at 12 seconds a roll."
    )
    click.echo(f"To share: {rules}")
    if page is not None:
        from companion.screens.fridge import fridge_page
        from companion.screens.languages import words

        page.write_text(fridge_page(rules, language, words(language)), encoding="utf-8")
        click.echo(f"Written: {page}")
    if keep:
        sheets = HouseSheets(journal_file(journal).parent)
        sheets.keep(rules._replace(rolls=round(found.rolls, 1)))
        click.echo(f"Kept in {sheets.folder}: the menu lists it when the box is started next.")
