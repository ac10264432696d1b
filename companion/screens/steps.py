"""What hands have to do next, in one friendly line: hints, and the steps of putting right."""

from gettext import NullTranslations

from companion.referee import Step, View
from companion.rules.places import is_apart, is_base, is_of, part_of, whose
from companion.screens import labels, notation, phrases
from companion.screens.phrases import ENGLISH, N_

# {who} is a colour or a piece, {name} the player if known, {place} where: "12", "base".
SENTENCES = {
    "to_base": N_("Now send {name} home."),
    "own_to_base": N_("Put {who} back in its base."),
    "to_home": N_("Put {who} in its home."),
    "on": N_("Put {who} on {place}."),
    "off": N_("Take {who} off {place}."),
    "across": N_("Put {who} from {origin} to {target}."),
}
OF_CARDS = {
    "on": N_("{who}: lay a card on stack {place}."),
    "off": N_("{who}: take a card off stack {place}."),
}
SOMEBODY = N_("a piece")


def sentence(view: View, todo: Step, words: NullTranslations = ENGLISH, named: bool = True) -> str:
    """One step as a sentence; `named` by its player, where that is known, else by its colour."""
    colour = todo.colour or _owner(view, todo.target or todo.origin)
    who = words.gettext(SOMEBODY)
    if colour is not None:
        who = labels.capital(phrases.colour(colour, words))
    name = labels.in_words(view, colour, words) if named and colour is not None else who
    cards = view.position is not None and view.position.game.board.walked is None
    kind = _kind(todo)
    if kind == "to_base" and (view.phase == "setting" or _is_movers(view, colour)):
        kind = "own_to_base"
    said = words.gettext((OF_CARDS if cards else SENTENCES)[kind])
    spots = (todo.origin or "", todo.target or "")
    origin, target = (part_of(spot) if cards else phrases.short(spot, words) for spot in spots)
    return said.format(who=who, name=name, place=target or origin, origin=origin, target=target)


def _kind(todo: Step) -> str:
    if todo.target is None:
        return "off"
    if is_base(todo.target):
        return "to_base"
    if todo.origin is not None:
        return "across"
    return "to_home" if is_apart(todo.target) else "on"


def _is_movers(view: View, colour: str | None) -> bool:
    """Whether it is a piece of who is to move: nobody has captured that one."""
    return view.face is not None and not view.made and colour == view.colour


def _owner(view: View, spot: str | None) -> str | None:
    """Whose piece or card goes there: in a base, a home or on a stack nobody else's may."""
    if spot is None or not whose(spot) or view.position is None:
        return None
    return next(colour for colour in view.position.game.colours if is_of(spot, colour))


def listed(todo: Step, words: NullTranslations = ENGLISH) -> str:
    """One step in a list of them: `Red: base→9`, `Red: 9 off`, `5 on`."""
    short = notation.hop(todo, words)
    if todo.colour is None:
        return short
    return f"{labels.capital(phrases.colour(todo.colour, words))}: {short}"


def hint(view: View, words: NullTranslations = ENGLISH, named: bool = True) -> str:
    """What a hint says: the next step, or what a quiet notice is about; empty in other tones."""
    if view.tone != "hint":
        return ""
    if view.hint:
        return sentence(view, view.hint[0], words, named)
    return labels.notice(view, words)
