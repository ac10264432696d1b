"""The bench on the box's screen, and its sentences, which the page says as well."""

from gettext import NullTranslations

from PIL import Image

from companion.bench import Remark, Scene
from companion.bench.bench import MENU
from companion.events import Cell, Event, Found, Fumbled, Lost, Pressed, Reading, Rolled
from companion.languages import LANGUAGES
from companion.rules.boards import BOARDS, Place
from companion.rules.places import number_in
from companion.screens import letters, phrases
from companion.screens.canvas import WIDTH, Canvas
from companion.screens.drawing import BEAT, LEFT, PITCH, ROOM, TURN, text_pages
from companion.screens.languages import words
from companion.screens.phrases import N_

MENU_TOP, MAP = 13, 63
LISTED = 8
"""Places that are named; the rest is counted."""

TITLES = {"watch": N_("Testing"), "learn": N_("Mapping"), "menu": N_("Workbench")}
LINES = {
    "watch": N_("Test the board"),
    "learn": N_("Map the board"),
    "again": N_("Map it again"),
    "language": N_("Language"),
    "end": N_("End"),
    "skip": N_("Nothing answers"),
    "back": N_("Ask the last again"),
}
PLACES = {
    "track": N_("square {number}"),
    "finish": N_("{colour}: finish {number}"),
    "home": N_("{colour}: home {number}"),
    "base": N_("{colour}: base {number}"),
    "stack": N_("{colour}: stack {number}"),
}
DEVICES = {
    "board": N_("board"),
    "die": N_("die"),
    "buttons": N_("buttons"),
    "oled": N_("screen"),
}
BUTTONS = {"up": N_("Up"), "down": N_("Down"), "ok": N_("OK")}
ASK = {"touch": N_("Press {place}."), "presence": N_("Put a piece on {place}, and lift it.")}
SAID = {
    "cell": N_("row {row}, column {column}"),
    "learned": N_("{place} is {cells}."),
    "known": N_("That is {other} ({cells}). If you pressed {place}, both share one cell."),
    "double": N_("At once: {cells}. If you pressed only {place}, their wires touch."),
    "stuck": N_("Closed from the start: {cells}. Clear the board."),
    "row": N_("row {number}"),
    "column": N_("column {number}"),
    "dead": N_("Nothing answers in {lines}: follow the wire."),
    "unmoved": N_("On since the start: {places}. Lift what stands there."),
    "strange": N_("Closed, but not mapped: {cells}."),
    "flickering": N_("Flickering: {places}."),
    "unseen": N_("Not yet seen: {places}."),
    "count": N_("{count} of {total}"),
    "all_seen": N_("Every place that is mapped was seen."),
    "all_mapped": N_("All {total} places are mapped."),
    "missing": N_("No answer: {places}. Once mended, map again: only these are asked for."),
    "unmapped": N_("Not mapped: {places}."),
    "away": N_("The board is not there. Plug it in."),
    "written": N_("It is written down."),
    "later": N_("It is written down when you are done."),
    "forbidden": N_("It cannot be written from here: copy it from the page."),
    "simulated": N_("Nothing is written: the board is simulated."),
    "skip_hint": N_("OK: no answer"),
    "menu_hint": N_("Hold OK: menu"),
    "touch_hint": N_("Touch every place once, and press the buttons."),
    "on": N_("{place} on"),
    "off": N_("{place} off"),
    "button": N_("button {name}"),
    "held": N_("button {name}, held"),
    "rolled": N_("rolled {face}"),
    "fumbled": N_("no proper throw"),
    "lost": N_("{device} lost"),
    "found": N_("{device} found"),
    "more": N_("{names} and {count} more"),
}


# -- sentences -------------------------------------------------------------------------------------


def place_name(place: Place, said: NullTranslations) -> str:
    """A place as a person would say it."""
    number = number_in(place.name)
    colour = phrases.colour(place.colour, said) if place.colour is not None else ""
    return said.gettext(PLACES[place.kind]).format(number=number, colour=colour)


def _say(key: str, said: NullTranslations, **gaps: object) -> str:
    return said.gettext(SAID[key]).format(**gaps)


def _cells(cells: tuple[Cell, ...], said: NullTranslations) -> str:
    return "; ".join(_say("cell", said, row=row + 1, column=column + 1) for row, column in cells)


def _names(names: tuple[str, ...], said: NullTranslations) -> str:
    shown = ", ".join(names[:LISTED])
    if len(names) <= LISTED:
        return shown
    return _say("more", said, names=shown, count=len(names) - LISTED)


def question(scene: Scene, said: NullTranslations) -> str:
    """What is asked for now; empty if nothing is."""
    if scene.asked is None:
        return ""
    key = "presence" if scene.sensing == "presence" else "touch"
    return said.gettext(ASK[key]).format(place=place_name(scene.asked, said))


def remark(told: Remark, said: NullTranslations) -> str:
    """What the last press meant."""
    other = place_name(told.other, said) if told.other is not None else ""
    place = place_name(told.asked, said)
    return _say(told.kind, said, place=place, other=other, cells=_cells(told.cells, said))


def event(told: Event, board: str, said: NullTranslations) -> str:
    """Something that happened, in a few words."""
    if isinstance(told, Reading):
        place = BOARDS[board].by_name[told.place]
        return _say("on" if told.on else "off", said, place=place_name(place, said))
    if isinstance(told, Pressed):
        name = said.gettext(BUTTONS[told.button])
        return _say("held" if told.held else "button", said, name=name)
    if isinstance(told, Rolled):
        return _say("rolled", said, face=told.face)
    if isinstance(told, Fumbled):
        return _say("fumbled", said)
    if isinstance(told, Lost | Found):
        device = said.gettext(DEVICES[told.device]) if told.device in DEVICES else told.device
        return _say("lost" if isinstance(told, Lost) else "found", said, device=device)
    return ""


def sentences(scene: Scene, said: NullTranslations) -> list[str]:
    """All that is to be said of a scene, the most urgent first; the question stands apart."""
    if scene.away:
        return [_say("away", said)]
    found = []
    if scene.mode == "learn":
        if scene.asked is None:
            found += [*_ending(scene, said), *_dead(scene, said)]
        if scene.remark is not None and (scene.asked is not None or scene.remark.kind != "learned"):
            found.append(remark(scene.remark, said))
        if scene.stuck:
            found.append(_say("stuck", said, cells=_cells(scene.stuck, said)))
    elif scene.mode == "watch":
        if scene.flickering:
            found.append(_say("flickering", said, places=_names(scene.flickering, said)))
        if scene.strange:
            found.append(_say("strange", said, cells=_cells(scene.strange, said)))
        if scene.unmoved:
            found.append(_say("unmoved", said, places=_names(scene.unmoved, said)))
        found += [*_dead(scene, said), *_watched(scene, said)]
    return found


def _dead(scene: Scene, said: NullTranslations) -> list[str]:
    names = [_say(line.kind, said, number=line.number + 1) for line in scene.lines]
    return [_say("dead", said, lines=", ".join(names))] if names else []


def _ending(scene: Scene, said: NullTranslations) -> list[str]:
    if scene.missing:
        told = [_say("missing", said, places=_names(scene.missing, said))]
    else:
        told = [_say("all_mapped", said, total=scene.total)]
    return [*told, _say(scene.kept, said)]


def _watched(scene: Scene, said: NullTranslations) -> list[str]:
    """What is left to be touched, once it is little; what cannot be seen, for it has no cell."""
    names = [place.name for place in BOARDS[scene.board].places]
    unmapped = tuple(name for name in names if name not in scene.wired)
    unseen = tuple(name for name in names if name in scene.wired and name not in scene.seen)
    found = []
    if unmapped:
        found.append(_say("unmapped", said, places=_names(unmapped, said)))
    if not unseen and not scene.unmoved and scene.seen:
        found.append(_say("all_seen", said))
    elif 0 < len(unseen) <= scene.total // 3:
        found.append(_say("unseen", said, places=_names(unseen, said)))
    elif not scene.seen:
        found.append(_say("touch_hint", said))
    return found


def progress(scene: Scene, said: NullTranslations) -> str:
    """How far it is."""
    if scene.mode == "watch":
        return _say("count", said, count=len(scene.seen), total=scene.total)
    return f"{min(scene.number, scene.total)}/{scene.total}"


# -- the picture -----------------------------------------------------------------------------------


def picture(scene: Scene, seconds: float = 0.0) -> Image.Image:
    """The 128x64 picture of a scene, so many seconds after it was first shown."""
    return drawn(scene, seconds).image


def drawn(scene: Scene, seconds: float = 0.0) -> Canvas:
    """The drawing of a scene, with the marks that tests look at."""
    canvas, said = Canvas(), words(str(scene.setting("language")))
    beat = int(seconds / BEAT)
    if scene.mode == "menu":
        _menu(canvas, scene, said)
    else:
        _map(canvas, scene, beat)
        _column(canvas, scene, said, beat)
    return canvas


def blinks(scene: Scene) -> bool:
    """Whether the picture changes by itself: the place that is asked for blinks, pages turn."""
    return scene.mode != "menu"


def _menu(canvas: Canvas, scene: Scene, said: NullTranslations) -> None:
    canvas.text(said.gettext(TITLES[scene.mode]), 2, 1, WIDTH - 4, bold=True)
    canvas.bar((0, 0, WIDTH, 11))
    for number, line in enumerate(MENU):
        y = MENU_TOP + number * PITCH
        canvas.text(said.gettext(LINES[line]), 2, y, WIDTH - 50)
        if line == "language":
            spoken = LANGUAGES[str(scene.setting("language"))]
            canvas.text(spoken, WIDTH - 50, y, 48, right=True)
        if number == scene.cursor:
            canvas.bar((0, y - 1, WIDTH, y + 9))


def _column(canvas: Canvas, scene: Scene, said: NullTranslations, beat: int) -> None:
    """The words beside the map: what is asked, and what there is to say, page by page."""
    y, foot = PITCH, 64 - PITCH
    told = sentences(scene, said)
    if not scene.away:
        wrong = scene.remark is not None and scene.remark.kind != "learned"
        told.insert(1 if wrong else 0, question(scene, said))
    if scene.mode == "watch":
        told = [*(event(one, scene.board, said) for one in scene.last[-1:]), *told]
    pages = text_pages([one for one in told if one], ROOM, (foot - y) // 9)
    number = beat // TURN % max(len(pages), 1)
    _title(canvas, said.gettext(TITLES[scene.mode]), number, len(pages))
    if pages:
        canvas.lines(pages[number].lines, LEFT, y + 1, ROOM)
    hints = ["skip_hint"] if scene.asked is not None and not scene.away else []
    feet = [progress(scene, said), *(_say(key, said) for key in (*hints, "menu_hint"))]
    canvas.text(feet[beat // (TURN // 2) % len(feet)], LEFT, foot, ROOM)


def _title(canvas: Canvas, title: str, number: int, pages: int) -> None:
    """What the bench is at, in bold if that leaves room for the number of the page."""
    counter = f"{number + 1}/{pages}" if pages > 1 else ""
    bold = letters.width(title, bold=True) + letters.width(counter) + 3 <= ROOM
    canvas.text(title, LEFT, 0, ROOM, bold=bold)
    if counter:
        canvas.text(counter, LEFT, 0, ROOM, right=True)


def _map(canvas: Canvas, scene: Scene, beat: int) -> None:
    """A dot a place; a block where it has been seen or mapped, a large one where it is on."""
    board = BOARDS[scene.board]
    pitch = min(MAP // board.grid, 12)
    edge = (MAP - pitch * board.grid) // 2
    canvas.paste(Image.new("1", (MAP, 64)), 0, 0, "map")
    done = scene.wired if scene.mode == "learn" else scene.seen
    bad = set(scene.missing if scene.mode == "learn" else scene.flickering)
    for place in board.places:
        x = edge + round(place.x * pitch) + pitch // 2
        y = edge + round(place.y * pitch) + pitch // 2
        if scene.asked == place:
            _target(canvas, x, y, beat)
        elif place.name in scene.on:
            canvas.draw.rectangle((x - 1, y - 1, x + 1, y + 1), fill=1)
        elif place.name in bad:
            if beat % 2 == 0:
                canvas.draw.rectangle((x - 1, y - 1, x + 1, y + 1), outline=1)
        elif place.name in done:
            canvas.draw.rectangle((x, y, x + 1, y + 1), fill=1)
        else:
            canvas.draw.point((x, y), fill=1)


def _target(canvas: Canvas, x: int, y: int, beat: int) -> None:
    """The place that is asked for: a ring that opens and closes."""
    reach = 3 if beat % 2 == 0 else 2
    box = (x - reach - 1, y - reach - 1, x + reach + 1, y + reach + 1)
    canvas.draw.rectangle(box, fill=0)
    canvas.draw.rectangle((x - reach, y - reach, x + reach, y + reach), outline=1)
    canvas.draw.point((x, y), fill=1)
