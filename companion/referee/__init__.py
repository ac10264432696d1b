"""The referee: recognises what hands did on the board, judges it, and puts it right."""

from companion.defaults import DEFAULTS, SETTINGS
from companion.referee.channels import Channels, SoundName, Tone, channels
from companion.referee.effects import (
    QUIET,
    Ask,
    Effect,
    Keep,
    Light,
    Line,
    Notice,
    Report,
    Show,
    Sound,
    Tally,
    View,
)
from companion.referee.match import Match
from companion.referee.outlines import Step
from companion.referee.phases import Phase
from companion.referee.referee import Referee
from companion.referee.times import Times

__all__ = [
    "DEFAULTS",
    "QUIET",
    "SETTINGS",
    "Ask",
    "Channels",
    "Effect",
    "Keep",
    "Light",
    "Line",
    "Match",
    "Notice",
    "Phase",
    "Referee",
    "Report",
    "Show",
    "Sound",
    "SoundName",
    "Step",
    "Tally",
    "Times",
    "Tone",
    "View",
    "channels",
]
