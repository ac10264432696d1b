"""What the box sounds like: a pattern of tones for each occasion, and how loud it is."""

from companion.referee import SoundName

Pattern = tuple[tuple[float, float], ...]
"""Tones one after another, as (hertz, seconds); 0 hertz is a rest."""

PATTERNS: dict[SoundName, Pattern] = {
    "roll": ((880, 0.06),),
    "accepted": ((1047, 0.08), (1319, 0.1)),
    "capture": ((1319, 0.08), (988, 0.08), (784, 0.08), (523, 0.18)),
    "illegal": ((311, 0.22), (0, 0.06), (311, 0.32)),
    "win": ((1047, 0.12), (1319, 0.12), (1568, 0.12), (2093, 0.35)),
    "notice": ((988, 0.1),),
    "hint": ((784, 0.05), (659, 0.07)),
    "fumble": ((659, 0.08), (494, 0.14)),
}

_SHARES = (0.0, 0.15, 0.45, 1.0)


def pattern(name: SoundName, volume: int) -> Pattern:
    """The tones to play; none at volume 0."""
    return PATTERNS[name] if volume else ()


def loudness(volume: int) -> float:
    """The share of a buzzer's loudness that a volume from the menu means."""
    return _SHARES[volume]
