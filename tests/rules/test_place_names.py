"""Names of places are read in the rules, and nowhere else."""

import pytest

from companion.rules import BOARDS
from companion.rules.places import base_of, is_apart, is_base, is_home, is_of, part_of, spot_of


@pytest.mark.parametrize("name", sorted(BOARDS))
def test_a_name_says_what_the_board_knows(name: str) -> None:
    for place in BOARDS[name].places:
        assert is_base(place.name) == (place.kind == "base")
        assert is_home(place.name) == (place.kind == "home")
        assert is_apart(place.name) == (place.kind in ("base", "home"))
        assert is_of(place.name, place.colour or "red")
        assert part_of(place.name) in place.name
        if place.kind == "base" and place.colour is not None:
            assert spot_of(place.name) == base_of(place.colour) == spot_of(base_of(place.colour))
        elif place.kind != "home":
            assert spot_of(place.name) == place.name


def test_a_place_of_another_colour_is_not_its_own() -> None:
    assert not is_of("Y.B", "red")
    assert is_of("12", "red")
