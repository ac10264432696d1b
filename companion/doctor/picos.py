"""Why the Picos are not there: one finding for each cause, not one for each who suffers from it."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from companion.doctor.finding import Finding, joined
from companion.table.serial_ports import PortReport

FLASH = "`companion flash die` or `companion flash board` puts our program onto it"
_FAULT = re.compile(r"\w*(Error|Exception)\b.*")
_PROMPT = re.compile(r">>>|SyntaxError|NameError")
_CLOSED = {
    "forbidden": (
        "You may not open",
        "add yourself to the group dialout (`sudo usermod -aG dialout $USER`) and log in again",
    ),
    "busy": (
        "Another program holds",
        "stop it: `sudo systemctl stop ludo-companion`, or whatever else talks with the Pico, "
        "like mpremote",
    ),
    "broken": ("It cannot be opened:", "plug it in again, or restart the Pi"),
}


def picos(missing: Mapping[str, str], reports: Iterable[PortReport]) -> list[Finding]:
    """What keeps these devices away (each with what it said last), by what the ports tell."""
    return list(_causes(dict(missing), list(reports)))


def _causes(missing: dict[str, str], reports: Sequence[PortReport]) -> Iterator[Finding]:
    """Each cause takes those whom it explains out of the missing."""
    for report in reports:
        yield from _refused(report, missing)
    for report in reports:
        yield from _other_unit(report, missing)
    for report in reports:
        yield from _other_role(report, missing)
    for cause in _CLOSED:
        yield from _closed([one for one in reports if one.cause == cause], cause, missing)
    yield from _mute([one for one in reports if one.cause == "mute"], missing)
    for role, why in missing.items():
        yield Finding("bad", role, why, _plug(role, why))


def _refused(report: PortReport, missing: dict[str, str]) -> Iterator[Finding]:
    refused = report.refused
    if refused is not None:
        missing.pop(refused.role, None)
        yield Finding("bad", refused.role, f"{refused.what} ({report.path})", _small(refused.cure))


def _other_unit(report: PortReport, missing: dict[str, str]) -> Iterator[Finding]:
    hello = report.hello
    if report.cause == "unit" and hello is not None and hello.role in missing:
        del missing[hello.role]
        key = "die.unit" if hello.role == "die" else "matrix.unit"
        yield Finding(
            "bad",
            hello.role,
            f"{hello}, is on {report.path}, but {report.note.rpartition(', but ')[2].rstrip('.')}",
            f'set {key} = "{hello.unit}", or plug in the one that it names',
        )


def _other_role(report: PortReport, missing: dict[str, str]) -> Iterator[Finding]:
    """A Pico that nobody needs as what it is, while another is missing: the wrong `main.py`."""
    hello = report.hello
    if hello is None or report.state not in ("unused", "spare") or hello.role in missing:
        return
    role = next(iter(missing), None)
    if role is not None:
        del missing[role]
        yield Finding(
            "bad",
            role,
            f"the Pico on {report.path} is flashed as a {hello.role}, but needed as a {role}",
            f"`companion flash {role} --replace --port {report.path}` makes it a {role}; "
            f"or, if it is a spare {hello.role}, plug in the {role}'s Pico",
        )


def _closed(
    reports: Sequence[PortReport], cause: str, missing: dict[str, str]
) -> Iterator[Finding]:
    if not reports:
        return
    what, cure = _CLOSED[cause]
    paths = joined(one.path for one in reports)
    if cause == "broken":
        what, paths = reports[0].note, ""
    seen = f": no {joined(missing, 'or')} is seen" if missing else ""
    missing.clear()
    yield Finding("bad", "ports", f"{what} {paths}".strip() + seen, cure)


def _mute(reports: Sequence[PortReport], missing: dict[str, str]) -> Iterator[Finding]:
    """Picos that are there and say nothing we know; one of them may be what is missing."""
    suspects = list(missing)
    for report in reports:
        says = _said(report.prose)
        if len(suspects) == 1:
            cure = f"`companion flash {suspects[0]} --port {report.path}`"
        else:
            cure = FLASH
        if len(suspects) > len(reports):
            cure += f"; it may be the {joined(suspects, 'or')}: plug in the other one too"
        device = suspects[0] if len(suspects) == 1 == len(reports) else "ports"
        yield Finding("bad", device, f"the Pico on {report.path} {says}", cure)
    if reports:
        missing.clear()


def _said(prose: str) -> str:
    """What a Pico that does not speak our language has said instead."""
    if _PROMPT.match(prose):
        return "is at MicroPython's prompt: our program does not run on it"
    if _FAULT.match(prose):
        return f"says why its program fails: {prose}"
    return "says nothing we know"


def _plug(role: str, why: str) -> str:
    """What to do for a device of which there is no trace."""
    if why.startswith("No "):
        return f"plug the {role}'s Pico into USB, with a cable that carries data"
    return "plug it in again; if it stays away, take another cable"


def _small(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]
