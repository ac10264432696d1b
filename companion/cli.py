"""The `companion` command: one subcommand for each thing a person wants of it."""

import click

from companion.commands.doctor import doctor
from companion.commands.learn import learn
from companion.commands.run import run


@click.group()
def main() -> None:
    """A referee that sits beside a real Ludo board."""


main.add_command(doctor)
main.add_command(learn)
main.add_command(run)
