"""What the box says aloud, if it has a voice: the same as on the screen, in whole sentences."""

from companion.referee import View
from companion.rules import Refused
from companion.screens import labels, phrases
from companion.screens.languages import words
from companion.screens.letters import SOFT_HYPHEN


def spoken(view: View, before: View | None = None) -> str:
    """The sentences for a view that comes after another; empty if there is nothing new."""
    if not view.settings.get("speech") or view.phase in ("idle", "menu"):
        return ""
    said = _said(view)
    if before is not None and _said(before) == said:
        return ""
    return " ".join(said).replace(SOFT_HYPHEN, "")


def _said(view: View) -> list[str]:
    if view.position is None:
        return []
    speak = words(str(view.settings.get("language", "en")))
    game = view.position.game
    said = []
    if view.notice is not None:
        said.append(labels.notice(view, speak))
    if view.phase == "illegal":
        face = view.face if view.face is not None or view.last is None else view.last.face
        said += [phrases.refusal(game, why, face, speak) for why in view.refusals[:1]]
        said.append(phrases.remedy(game, Refused(view.refusals, view.legal), speak))
    elif view.phase in ("roll", "opening", "penalty", "restore"):
        said += [phrases.happening(game, told, speak) for told in view.happenings]
    if view.phase in ("roll", "opening") and view.colour is not None:
        said.append(f"{labels.name_of(view, view.colour, speak)}: {labels.word('roll', speak)}")
    elif view.phase == "move" and view.face is not None:
        said.append(phrases.roll(game, view.face, speak))
    elif view.phase == "over" and view.places:
        winner = labels.player(view, view.places[0], speak)
        said.append(f"{winner} {labels.title('won', speak)}")
    return said
