"""The main screens, pixel for pixel, against pictures a person has looked at.

After a change that is meant, run the tests once with REWRITE_PICTURES=1 and look at what git
shows as changed; while that is set the tests fail, so that it is not left on.
"""

import os
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from companion.screens import bench
from companion.screens.bench_samples import bench_samples
from companion.screens.pictures import picture
from companion.screens.samples import samples

PICTURES = Path(__file__).parent / "pictures"
DOCS = Path(__file__).parents[2] / "docs" / "pictures"
REWRITE = "REWRITE_PICTURES"

MAIN = [
    ("en", "german", "idle"),
    ("en", "german", "menu-0"),
    ("de", "german", "menu-settings"),
    ("de", "german", "menu-phones"),
    ("en", "german", "statistics"),
    ("en", "german", "setting-pieces"),
    ("nl", "dutch", "opening-last"),
    ("de", "german", "roll-black"),
    ("en", "british", "roll"),
    ("en", "pairs", "rolling"),
    ("en", "british", "roll-by-hand"),
    ("en", "british", "roll-green-named"),
    ("en", "dutch", "move-5"),
    ("en", "pairs", "move-6"),
    ("en", "cards", "move-6"),
    ("en", "british", "choose-last"),
    ("nl", "pairs", "which-move"),
    ("en", "cards", "pressed"),
    ("en", "german", "accepted-captured"),
    ("de", "german", "no-move"),
    ("en", "german", "illegal-0"),
    ("de", "british", "illegal-1"),
    ("nl", "cards", "illegal-0"),
    ("en", "german", "penalty"),
    ("en", "pairs", "restore-quiet"),
    ("en", "dutch", "die-missing"),
    ("de", "dutch", "sensor"),
    ("en", "german", "paused"),
    ("en", "british", "over-named"),
    ("nl", "german", "won"),
    ("en", "bench", "map-first"),
    ("de", "bench", "map-known"),
    ("nl", "bench", "map-row-missing"),
    ("en", "bench", "test-half"),
    ("de", "bench", "test-flickers"),
    ("nl", "bench", "menu"),
    ("en", "bench", "away"),
    ("en", "german", "hint-captured"),
    ("de", "british", "hint-pushed-move"),
    ("nl", "dutch", "hint-in-hand"),
    ("en", "german", "hint-pushed-made"),
    ("en", "pairs", "hint-check"),
    ("de", "pairs", "have-moved"),
    ("nl", "german", "answer-first"),
    ("en", "pairs", "restore-half"),
    ("en", "german", "box-roll"),
    ("de", "pairs", "box-move"),
    ("nl", "german", "let-it-stand"),
    ("en", "german", "menu-players"),
    ("de", "german", "statistics-chances"),
]


IN_DOCS = {
    "roll": ("german", "roll-black"),
    "move": ("british", "move-6"),
    "illegal": ("german", "illegal-0"),
    "rule": ("german", "illegal-1"),
    "no-move": ("dutch", "no-move"),
    "menu": ("german", "menu-0"),
    "hint": ("german", "hint-captured"),
}


@pytest.mark.parametrize(("language", "sheet", "name"), MAIN)
@pytest.mark.parametrize("seconds", [0.0, 0.5])
def test_a_screen_looks_as_it_did(language: str, sheet: str, name: str, seconds: float) -> None:
    path = PICTURES / f"{language}-{sheet}-{name}-{seconds:.1f}.png"
    if sheet == "bench":
        compare(path, bench.picture(bench_samples(language)[name], seconds))
    else:
        compare(path, picture(samples(sheet, language)[name], seconds))


@pytest.mark.parametrize("name", IN_DOCS)
def test_a_picture_in_the_docs_is_what_the_table_shows(name: str) -> None:
    sheet, screen = IN_DOCS[name]
    image = picture(samples(sheet)[screen])
    frame = Image.new("1", (136, 72))
    frame.paste(image, (4, 4))
    compare(DOCS / f"{name}.png", frame.resize((408, 216), Image.Resampling.NEAREST))


def compare(path: Path, image: Image.Image) -> None:
    if os.environ.get(REWRITE):
        path.parent.mkdir(exist_ok=True)
        image.save(path)
        pytest.fail(f"{path.name} was written again; look at it, and unset {REWRITE}")
    with Image.open(path) as known:
        differs = ImageChops.logical_xor(known.convert("1"), image).getbbox()
    assert differs is None, f"{path.name} differs within {differs}"


def test_every_kept_picture_is_compared() -> None:
    names = {f"{one[0]}-{one[1]}-{one[2]}-{at}.png" for one in MAIN for at in ("0.0", "0.5")}
    assert {path.name for path in PICTURES.glob("*.png")} == names
    pages = ("page-", "first-", "house")
    screens = {path.stem for path in DOCS.glob("*.png") if not path.stem.startswith(pages)}
    assert screens == set(IN_DOCS)  # the others are of web pages
