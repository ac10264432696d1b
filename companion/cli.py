"""The `companion` command: one subcommand for each thing a person wants of it."""

import importlib
import os
from difflib import get_close_matches
from typing import Any

import click

# Each command lives in the module of its name and is imported when it is asked for; the words
# here are what `companion --help` shows, so that help needs none of them.
COMMANDS = {
    "analyse": "Tell luck from play in WHAT: the number of a game, a record file, or a bug report.",
    "bench": "Map and test a board on the box's own screen and lights, and on a page.",
    "doctor": "Look at every device of the table, and say what to do for each fault.",
    "family": "Check the house rules in WHAT, a TOML file or a line that was shared.",
    "export": "Print the record of game NUMBER (the latest, if not given), or write every game.",
    "flash": "Put the program of a die or a board onto a Pico, as far as it is not there.",
    "games": "List the games that were played, latest first.",
    "house": "Be the house: hear every table, show them on one page, and archive their games.",
    "join": "Join the house whose `companion house add` printed LINK.",
    "learn": "Ask for each place in turn, and write to the configuration where it is wired.",
    "page": "Open the page of this box in the browser, as the box's own screen.",
    "play": "Play on a simulated table, on a page in the browser.",
    "replay": "Play WHAT again: the number of a game, a record file, or a bug report.",
    "report": "Pack logs, configuration (without secrets), versions and the last events "
    "into one file.",
    "rules": "Print the rules of a sheet, one clause of it, or the sheets there are.",
    "run": "Referee the table until told to stop.",
    "screens": "Draw every screen, for every sheet and language, and a contact sheet of them all.",
    "selfplay": "Play random games of SHEET, and report how they went.",
    "stats": "Tell who won how often, how fair the die has been, and how long games took.",
    "textplay": "Play a game of SHEET (german, if not given) in the terminal.",
}


OPTIONAL = {"aiomqtt": "MQTT, which a house and its tables speak"}
"""The packages that a table without a house does not have, and what they are for."""


class BadUse(click.ClickException):
    """Input that cannot be meant: one sentence, and exit code 2."""

    exit_code = 2


class Companion(click.Group):
    """The group of all commands: imports them late, and reports bad input in one sentence."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"companion.commands.{cmd_name}")
        command: click.Command = getattr(module, cmd_name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name]) for name in self.list_commands(ctx)])

    def invoke(self, ctx: click.Context) -> Any:
        from companion.rules.errors import BadInput
        from companion.terminal.printable import printable, told

        if os.environ.get("NO_COLOR"):
            ctx.color = False
        try:
            return super().invoke(ctx)
        except BadInput as error:
            raise BadUse(printable(str(error))) from None
        except OSError as error:
            if error.filename is None:
                raise
            raise click.ClickException(printable(told(error))) from None
        except ModuleNotFoundError as error:
            if error.name not in OPTIONAL:
                raise
            raise click.ClickException(
                f"This needs {OPTIONAL[error.name]}, and the Python package {error.name} is not "
                "installed here: `make cafe` installs it in a clone."
            ) from None
        except click.exceptions.NoArgsIsHelpError:
            raise
        except click.UsageError as error:
            raise BadUse(_sentence(error, self.list_commands(ctx))) from None


def _sentence(error: click.UsageError, commands: list[str]) -> str:
    """What cannot be meant in one sentence, and where to read what can."""
    said = error.format_message()
    for number in ("integer range", "integer"):
        said = said.replace(f"is not a valid {number}.", "is not a whole number.")
    given = said.removeprefix("No such command '").rstrip("'.")
    if given != said.rstrip("'.") and error.ctx is not None and error.ctx.parent is None:
        close = get_close_matches(given, commands, 1)
        said = f"There is no command {given!r}." + (f" Did you mean {close[0]}?" if close else "")
    path = error.ctx.command_path if error.ctx is not None else "companion"
    return f"{said} (`{path} --help` says more.)"


@click.group(cls=Companion)
@click.version_option(package_name="ludo-companion", prog_name="companion")
def main() -> None:
    """A referee that sits beside a real Ludo board."""
