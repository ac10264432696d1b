"""What the box says aloud, if it has a voice: the same as on the screen, in whole sentences."""

from collections.abc import Callable
from gettext import NullTranslations

from companion.referee import View
from companion.rules import Game, Refused
from companion.screens import labels, notation, phrases, steps
from companion.screens.languages import words
from companion.screens.letters import SOFT_HYPHEN

STEP_BY_STEP = ("hint", "guide")
"""Tones in which only what is new is said: a hint once, and each step when its turn comes."""


def spoken(view: View, before: View | None = None) -> str:
    """The sentences for a view that comes after another; empty if there is nothing new."""
    if not view.setting("speech") or view.phase in ("idle", "menu"):
        return ""
    said, known = _said(view), [] if before is None else _said(before)
    if said == known:
        return ""
    if before is not None and (view.tone in STEP_BY_STEP or before.tone in STEP_BY_STEP):
        said = [one for one in said if one not in known]
    return " ".join(said).replace(SOFT_HYPHEN, "")


def _said(view: View) -> list[str]:
    if view.position is None:
        return []
    speak = words(str(view.setting("language")))
    told = [] if view.notice is None or view.tone == "hint" else [labels.notice(view, speak)]
    return [*told, *_SPEECH[view.channels.speech](view, view.position.game, speak)]


def _turn(view: View, game: Game, speak: NullTranslations) -> list[str]:
    """What the last move brought, and who is to do what now."""
    said = []
    if view.phase in ("roll", "opening") and view.colour is not None:
        said += _happened(view, game, speak)
        key = "rolling" if view.draws else "roll"
        said.append(f"{labels.in_words(view, view.colour, speak)}: {labels.word(key, speak)}")
    elif view.phase == "move" and view.face is not None:
        said.append(phrases.roll(game, view.face, speak))
        back = labels.sends_back(view)
        if back is not None:
            said.append(phrases.refusal(game, back, view.face, speak))
        if view.wish is not None:
            said.append(f"{labels.capital(phrases.move(game, view.wish, speak))}.")
    elif view.phase == "over" and view.ranking:
        said.append(_winner(view, speak))
    return said


def _step(view: View, game: Game, speak: NullTranslations) -> list[str]:
    """The next thing for hands to do. Nobody talks to people who think with a piece in hand."""
    if view.tone == "hint":
        thinks = not view.hint and view.notice is not None and view.notice.key == "in_hand"
        counts = f"{labels.word('counts', speak)} " if view.made else ""
        hint = f"{counts}{steps.hint(view, speak)}"  # in one: what is left to do is said with it
        return [*([] if thinks else [hint]), *_turn(view, game, speak)]
    if view.phase == "setting":
        return []
    said = _happened(view, game, speak)
    return said + [steps.sentence(view, todo, speak) for todo in view.remedy[:1]]


def _question(view: View, game: Game, speak: NullTranslations) -> list[str]:
    """The question, what it is about, and what no means where there is one answer only."""
    if view.title == "won":
        return [_winner(view, speak)]
    moves = [phrases.move(game, line.move, speak) for line in view.lines if line.move is not None]
    said = [labels.title(view.title, speak)]
    if moves:
        said.append(f"{labels.capital(phrases.listed(moves, speak.gettext('or')))}.")
    otherwise = notation.otherwise(view, speak)
    if otherwise:
        said.append(otherwise)
    return said


def _refusal(view: View, game: Game, speak: NullTranslations) -> list[str]:
    """What is wrong, and how it is put right, step by step."""
    said = [labels.refusal(view, why, speak) for why in view.refusals[:1]]
    said.append(phrases.remedy(game, Refused(view.refusals, view.legal), speak))
    return said + [steps.sentence(view, todo, speak) for todo in view.remedy]


def _happened(view: View, game: Game, speak: NullTranslations) -> list[str]:
    names = labels.names_of(view, speak)
    return [phrases.happening(game, told, speak, names) for told in view.happenings]


def _winner(view: View, speak: NullTranslations) -> str:
    return f"{labels.player(view, view.ranking[0], speak)} {labels.title('won', speak)}"


_SPEECH: dict[str, Callable[[View, Game, NullTranslations], list[str]]] = {
    "turn": _turn,
    "step": _step,
    "question": _question,
    "refusal": _refusal,
}
