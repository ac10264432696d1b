"""The bench: a board that is being built, mapped place by place and tested. Pure, like the referee.

Cells of the matrix, events of the other devices and wishes go in; a `Scene` comes out, which the
box's screen, its lights and the page show. No game is played here.
"""

from companion.bench.bench import Bench, Cue, Mode, Scene, Wish
from companion.bench.health import Health
from companion.bench.lesson import Lesson, Remark

__all__ = ["Bench", "Cue", "Health", "Lesson", "Mode", "Remark", "Scene", "Wish"]
