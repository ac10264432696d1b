"""`companion screens` draws everything into a folder, and says what it cannot do."""

from pathlib import Path

from click.testing import CliRunner
from PIL import Image

from companion.cli import main
from companion.screens.bench_samples import bench_samples
from companion.screens.samples import samples


def run(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(main, ["screens", *words])
    return done.exit_code, done.output


def test_every_screen_is_drawn_four_times_as_large_with_a_contact_sheet(tmp_path: Path) -> None:
    out = tmp_path / "new" / "folder"
    code, said = run("--out", str(out), "--sheet", "cards", "--language", "nl")
    names = {f"nl-cards-{name}.png" for name in samples("cards", "nl")}
    assert code == 0, said
    assert said == f"{len(names)} pictures and contact.png are in {out}\n"
    assert {path.name for path in out.iterdir()} == names | {"contact.png"}
    with Image.open(out / "nl-cards-roll.png") as image:
        assert image.size == (512, 256)
    with Image.open(out / "contact.png") as image:
        assert image.width > 700


def test_without_a_sheet_named_the_bench_is_drawn_too(tmp_path: Path) -> None:
    code, said = run("--out", str(tmp_path), "--language", "de")
    assert code == 0, said
    drawn = {path.stem for path in tmp_path.glob("de-bench-*.png")}
    assert drawn == {f"de-bench-{name}" for name in bench_samples("de")}


def test_unknown_names_are_answered_with_those_there_are(tmp_path: Path) -> None:
    code, said = run("--out", str(tmp_path), "--sheet", "chess")
    assert code == 2
    assert "there is no sheet 'chess'; there are: german, cards" in said
    code, said = run("--out", str(tmp_path), "--language", "fr")
    assert "there is no language 'fr'; there are: en, de, nl" in said


def test_a_folder_that_cannot_be_made_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    code, said = run("--out", str(tmp_path / "file" / "below"), "--sheet", "cards")
    assert code == 1
    assert said.startswith("Error: cannot write to")
    assert "Traceback" not in said
