"""`companion join`: a table follows a house's invitation, where its page is for itself only."""

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from companion.invitation import Invitation


@click.command()
@click.argument("link")
@click.option("--config", "path", type=click.Path(path_type=Path), help="The configuration.")
def join(link: str, path: Path | None) -> None:
    """Join the house whose `companion house add` printed LINK."""
    from companion.config import DEFAULT, find
    from companion.daemon.house import written
    from companion.invitation import InvitationError, read

    place = find(path) or DEFAULT
    try:
        invitation = read(link)
        if place == DEFAULT:
            done = _as_root(invitation)
        else:
            written(place, invitation)
            done = "No service was told: start the table again."
    except InvitationError as fault:
        raise click.ClickException(str(fault)) from None
    click.echo(f"{place} is written: this table is {invitation.name} at {invitation.broker}.")
    click.echo(done)


def _as_root(invitation: "Invitation") -> str:
    """Write the service's configuration, open its unit for the broker, and start it anew."""
    import grp

    from companion import privileged
    from companion.config import DEFAULT
    from companion.daemon.house import joined
    from companion.invitation import InvitationError

    text = joined(DEFAULT, invitation)
    try:
        group = grp.getgrnam(privileged.SERVICE).gr_gid
        privileged.write(text, DEFAULT, group)
        privileged.follow(DEFAULT, privileged.NETWORK, privileged.HOUSE, lambda: None)
        if not shutil.which("systemctl"):
            return "No service was told: start the table again."
        privileged.restart()
    except KeyError:
        raise InvitationError(
            "no service is installed: name a configuration with --config"
        ) from None
    except PermissionError:
        raise InvitationError("only root may write it: run it with sudo") from None
    except (OSError, privileged.OrderError) as fault:
        raise InvitationError(str(fault)) from None
    return "The service may talk with that broker, and starts anew; a game goes on."
