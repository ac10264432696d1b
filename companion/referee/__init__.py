"""The referee: recognises what hands did on the board, judges it, and puts it right.

Theory of operation
===================

*The problem.* Sensors know neither colour nor number: a square is occupied or it is not. People
lift, hover, slide, bump and change their minds. Rules are about moves, and nobody announces one.
So the referee does not follow gestures. It asks of a board that has come to rest: which lawful
story ends here?

*Events in, effects out.* `Referee.feed(event, now)` takes one event with its time and returns
what is to be done; `next_deadline()` says when to come back though nothing happens. There is no
clock, no chance, no file. Therefore the same events always give the same effects: a journal
resumes a game by replaying it, a bug report is a file of events, and a test is an evening in a
text file.

*Truth and talk.* `match.py` holds the truth, and only what the players have done for good changes
it; each change is a record to be kept before anybody is told (`Keep` comes before `Show`).
`stage.py` holds what is being talked about: a phase, and everything shown with it. Phases and the
acts that lead from one to another are a table (`phases.py`), from which the documentation is
drawn.

*What may be.* After every change `scene.py` says what the board may show next: as it is, as
it was before the last move, and as each legal move would leave it. The settled sensors, as an
outline (`outlines.py`), are compared with these. One fits: the move is made. Several fit: people
are asked. None fits yet, but one is under way: patience. None can: something is wrong.

*What stands where.* For all but the plainest cases one must know which piece is which.
`tracking.py` keeps the pictures (`picture.py`) that the readings leave possible: pieces do not
come from nowhere, and readings have an order. Readings and rules remove
pictures; of several the least doubtful are kept. A step names a piece only if all pictures agree
on it; which clause was broken may be a best guess.

*Three tones.* A board from which a lawful one is reached by putting down what is in the air,
sending a captured piece home or straightening a bump deserves a hint (`loose_ends.py`). Where only
people can know, a question. STOP is for a piece that stands where no legal move leaves it, and it
comes with the clause (`attempts.py` asks the rules what was tried) and a remedy (`remedies.py`):
the fewest steps to the nearest lawful board, never a guessed pair.

*Provisional until the next roll.* People correct themselves. An accepted move that slides on is
amended, one that goes back is taken back, and neither is anybody's fault.

*One place acts.* The ways of sensing (`presence.py`, `touch.py`, `choose.py`) find; `play.py`
acts on what they found; `box.py` answers to buttons; `referee.py` hears events and orders. No
part holds a reference to the part that owns it, so that each can be read, and tested, alone. Hold
OK always leads to the menu, and from there a game can be taken back, ruled, paused or ended: there
is no dead end.

docs/referee.md has the tables; the soak in tests/people tells how often all this is wrong.
"""

from companion.defaults import DEFAULTS, SETTINGS
from companion.referee.channels import Channels, SoundName, Tone, channels
from companion.referee.effects import (
    QUIET,
    Ask,
    Draw,
    Effect,
    Keep,
    Light,
    Line,
    Network,
    Notice,
    Report,
    Show,
    Sound,
    Tally,
    Think,
    View,
)
from companion.referee.match import Match
from companion.referee.outlines import Step
from companion.referee.phases import PUTTING_RIGHT, Phase
from companion.referee.referee import Referee
from companion.referee.times import Times

__all__ = [
    "DEFAULTS",
    "PUTTING_RIGHT",
    "QUIET",
    "SETTINGS",
    "Ask",
    "Channels",
    "Draw",
    "Effect",
    "Keep",
    "Light",
    "Line",
    "Match",
    "Network",
    "Notice",
    "Phase",
    "Referee",
    "Report",
    "Show",
    "Sound",
    "SoundName",
    "Step",
    "Tally",
    "Think",
    "Times",
    "Tone",
    "View",
    "channels",
]
