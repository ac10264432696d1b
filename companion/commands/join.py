"""`companion join`: a table follows a house's invitation, where its page is for itself only."""

from pathlib import Path

import click

from companion import SERVICE
from companion.terminal.printable import told


@click.command()
@click.argument("link")
@click.option("--config", "path", type=click.Path(path_type=Path), help="The configuration.")
def join(link: str, path: Path | None) -> None:
    """Join the house whose `companion house add` printed LINK."""
    from companion import config_file
    from companion.config import DEFAULT, ConfigError, find
    from companion.invitation import InvitationError, read

    place = find(path) or DEFAULT
    try:
        invitation = read(link)
        text = config_file.with_house(config_file.text_of(place), invitation)
        config_file.write(place, text, _group() if place == DEFAULT else None)
    except PermissionError:
        raise click.ClickException(f"{place} belongs to root: run it with sudo") from None
    except (InvitationError, ConfigError, OSError) as fault:
        raise click.ClickException(told(fault)) from None
    click.echo(f"{place} is written: this table is {invitation.name} at {invitation.broker}.")
    click.echo(_restarted() if place == DEFAULT else "No service was told: start the table again.")


def _group() -> int | None:
    """Who else reads the service's configuration; nobody, where it is not installed."""
    import grp

    try:
        return grp.getgrnam(SERVICE).gr_gid
    except KeyError:
        return None


def _restarted() -> str:
    """Start the service again with it; its address rules follow by themselves."""
    import shutil
    import subprocess

    from companion.privileged import restart

    try:
        if shutil.which("systemctl"):
            restart(SERVICE)
            return "The service restarts with it; a game goes on."
    except subprocess.CalledProcessError:
        pass
    return "No service was told: start the table again."
