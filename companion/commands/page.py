"""`companion page`: opens the box's page, as its own screen, where somebody sits at the box."""

import click


@click.command()
def page() -> None:
    """Open the page of this box in the browser, as the box's own screen."""
    from companion.config import DEFAULT
    from companion.journal import SYSTEM
    from companion.terminal.browser import open_browser
    from companion.web.key import read_key

    address = f"http://127.0.0.1:{_port()}/{'' if DEFAULT.exists() else 'setup'}"
    try:
        key = read_key(SYSTEM.parent)
    except FileNotFoundError:
        raise click.ClickException(
            "no service of a box has run on this machine: `systemctl status ludo-companion` "
            "tells why; `companion play` plays without one"
        ) from None
    except PermissionError:
        open_browser(address)  # to look on, at least
        raise click.ClickException(
            "this is for those who may use the Pi's pins: be a member of the group gpio, "
            "or say `sudo companion page`"
        ) from None
    click.echo(f"The box's page: {address}?key={key}")
    open_browser(f"{address}?key={key}")


def _port() -> int:
    """The port of the page; the usual one where the configuration is not ours to read."""
    from companion.config import DEFAULT, ConfigError, WebSection, load

    try:
        return load(DEFAULT, complete=False).web.port
    except ConfigError:
        return WebSection().port
