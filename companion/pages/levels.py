"""The tables of docs/odds.md: every level of player against every other, on every sheet.

`python -m companion.pages.levels docs/odds.md` plays the games again and writes the tables between
the two marks of that page; `make odds` does so. It takes some minutes.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

GAMES = 4_000
SEED = 1
BEGIN, END = "<!-- levels: written by make odds -->", "<!-- end of levels -->"


def tables(games: int = GAMES) -> Iterator[str]:
    """One table a sheet: who wins how often as one against all others of another level."""
    from companion.odds.strength import one_against
    from companion.rules import SHEETS, game
    from companion.rules.levels import LEVELS

    for sheet in SHEETS:
        yield f"\n### {sheet}\n\n| one against three | {' | '.join(LEVELS)} |"
        yield "|---" * (len(LEVELS) + 1) + "|"
        table = game(sheet)
        for one in LEVELS:
            row = []
            for others in LEVELS:
                played = one_against(table, one, others, games, SEED)
                row.append(f"{100 * played.share:.1f} ± {100 * played.error:.1f}")
            yield f"| **{one}** | {' | '.join(row)} |"


def main(page: Path) -> None:
    """Write the tables into the page."""
    made = list(tables())
    text = page.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    page.write_text(
        "\n".join([before + BEGIN, *made, "", END + after]), encoding="utf-8", newline="\n"
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
