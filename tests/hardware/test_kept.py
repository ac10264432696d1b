"""What the repository keeps is up to date, and the pages name only what there is."""

import re
from pathlib import Path

import click
import pytest

from companion.cli import main
from hardware import bom, first, making, solids
from hardware.builds import BUILDS, ROOT

PAGES = [*sorted((ROOT / "docs" / "build").glob("*.md")), ROOT / "hardware" / "README.md"]
KEPT = making.kept()
MADE = {*making.built(), "SHA256SUMS"}


@pytest.mark.parametrize("name", KEPT)
def test_a_kept_text_is_what_the_sources_make_of_it(name: str) -> None:
    assert (ROOT / name).read_text(encoding="utf-8") == KEPT[name], "run `make hardware`"


def test_kept_sheets_are_what_the_sources_make_of_them() -> None:
    found = making.kept_prints()
    assert {Path(name).name for name in found} == {"stand-A4.pdf", "stand-Letter.pdf"}
    for name, data in found.items():
        assert (ROOT / name).read_bytes() == data, "run `make hardware`"


def test_kept_pictures_were_drawn_from_the_present_sources() -> None:
    lines = (ROOT / making.ORIGINS).read_text().splitlines()[1:]
    noted = {name: digest for digest, name in (line.split() for line in lines)}
    present = {Path(name).name: digest for name, digest in making.drawn().items()}
    assert noted == present, "run `make hardware`"
    for name in making.drawn():
        assert (ROOT / name).stat().st_size > 5000


def test_no_stray_file_lies_among_the_generated_ones() -> None:
    made = {*KEPT, *making.kept_prints(), *making.drawn(), making.ORIGINS}
    for folder in (making.PICTURES, making.SHEETS, "hardware/wiring", "hardware/bom"):
        for path in (ROOT / folder).iterdir():
            assert str(path.relative_to(ROOT)) in made


def test_a_wiring_picture_shows_every_pin_of_its_source() -> None:
    for diagram in making.diagrams():
        picture = (ROOT / f"{making.PICTURES}/pins-{diagram.name}.svg").read_text(encoding="utf-8")
        texts = re.findall(r">([^<>]+)</text>", picture)
        source = (ROOT / f"hardware/wiring/{diagram.name}.yml").read_text()
        [pins] = re.findall(r"^    pins: \[(.*?)\]", source, re.M | re.S)
        for pin in pins.split(","):
            assert pin.strip() in texts, f"{diagram.name} lacks pin {pin}"
        for wire in diagram.wires:
            assert f"{wire.part} {wire.terminal}" in texts


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_and_picture_of_a_page_leads_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    targets = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text) + re.findall(r'src="([^"]+)"', text)
    assert targets
    for target in targets:
        assert (page.parent / target).exists(), target


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_that_a_page_tells_to_type_exists_with_its_options(page: Path) -> None:
    """What stands in `code` after `companion`: a command, and options that it knows."""
    text = re.sub(r"\s+", " ", page.read_text(encoding="utf-8"))
    context = click.Context(main)
    for name, rest in re.findall(r"`(?:sudo )?companion ([a-z]+)([^`]*)`", text):
        command = main.get_command(context, name)
        assert command is not None, f"{page.name} names companion {name}"
        known = {word for parameter in command.params for word in parameter.opts}
        assert set(re.findall(r"--[a-z]+", rest)) <= known, f"{page.name}: companion {name}{rest}"


def test_every_option_of_the_installer_that_a_page_names_exists() -> None:
    script = (ROOT / "systemd" / "install.sh").read_text(encoding="utf-8")
    for page in PAGES:
        for rest in re.findall(r"systemd/install\.sh ([^`\n]*)", page.read_text(encoding="utf-8")):
            for option in re.findall(r"--[a-z-]+", rest):
                assert f"{option} " in script


def test_the_folder_s_page_tells_what_the_builds_cost() -> None:
    page = (ROOT / "hardware" / "README.md").read_text(encoding="utf-8")
    told = re.findall(r"\| (\d+) to (\d+) euros \|", page)
    costs = [
        sorted(bom.cost(one, option) for option in one.options)
        for one in BUILDS
        if one.key != "mat"
    ]
    assert told == [(f"{cost[0]:.0f}", f"{cost[-1]:.0f}") for cost in costs]
    assert f"{bom.cost(BUILDS[-1], 'touch'):.0f} euros more" in page


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_file_that_a_page_names_exists_or_is_made(page: Path) -> None:
    """Files of the repository wherever they are named, and in `code` those of build/hardware."""
    text = page.read_text(encoding="utf-8")
    for word in re.findall(r"`((?:boards|wiring|enclosure|bom)/[\w./-]+|SHA256SUMS)`", text):
        assert word in MADE, f"{page.name} names {word}, which `make hardware` does not make"
    for word in re.findall(
        r"(?<![\w/.-])((?:hardware|firmware|companion|systemd)/[\w./-]*\w)", text
    ):
        assert (ROOT / word).exists(), f"{page.name} names {word}"


def test_the_first_pages_tell_what_the_lists_of_parts_add_up_to() -> None:
    page = (ROOT / "docs/build/README.md").read_text(encoding="utf-8")
    costs = []
    for one in BUILDS:
        rows = [line for line in page.splitlines() if line.startswith("| [")]
        [row] = [line for line in rows if f"({one.stem}.md)" in line]
        told = re.findall(r"about (\d+) euros", row)
        assert told == [f"{bom.cost(one, option):.0f}" for option in one.options]
        costs += [told[0], told[-1]] if one.key != "mat" else []
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    [(least, most)] = re.findall(r"(\d+) to (\d+) euros", readme)
    assert int(least) == min(map(int, costs))
    assert int(most) == max(map(int, costs))
    small = f"about {first.cost(first.lines()):.0f} euros"
    for text in (page, readme):
        assert small in text, "build 0 is told by its price"
        assert "one hour, no solder" in text
    more = f"about {first.cost(first.card_lines()):.0f} euros more"
    assert more in page


def test_build_0_is_the_first_thing_on_both_pages_and_costs_about_fifty() -> None:
    assert 45 <= first.cost(first.lines()) <= 55
    assert len(first.table().wires) == 9
    page = (ROOT / "docs/build/README.md").read_text(encoding="utf-8")
    assert page.index("build-0.md") < page.index("build-a.md")
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert readme.index("docs/build/build-0.md") < readme.index("## Try it")


def test_every_step_of_the_ladder_tells_what_it_adds_costs_and_takes() -> None:
    for stem in ("build-a", "build-b", "build-c", "card-mat", "card-keypad"):
        text = (ROOT / f"docs/build/{stem}.md").read_text(encoding="utf-8")
        for word in ("**Adds**", "**Costs**", "akes**"):
            assert word in text, stem


def test_an_open_surface_and_a_huge_part_are_found(tmp_path: Path) -> None:
    corners = ["0 0 0", "200 0 0", "0 20 0", "0 0 20"]
    faces = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]

    def stl(name: str, faces: list[tuple[int, int, int]]) -> Path:
        path = tmp_path / name
        path.write_text("".join(f"vertex {corners[n]}\n" for face in faces for n in face))
        return path

    assert solids.faults(stl("whole.stl", faces)) == [
        "whole.stl: too large for a printer of 180 mm along x"
    ]
    corners[1] = "20 0 0"
    assert solids.faults(stl("whole.stl", faces)) == []
    assert solids.faults(stl("open.stl", faces[:3])) == ["open.stl: the surface is not closed"]


def test_a_solid_is_written_the_same_whatever_the_order_of_its_facets(tmp_path: Path) -> None:
    """And its triangles stay the same, turned the same way round."""
    first = ["0 0 0", "1 0 0", "0 1 0"]
    second = ["0 0 1", "0 2 0", "3 0 0"]
    written = []
    for faces in ([first, second], [second[1:] + second[:1], first[2:] + first[:2]]):
        path = tmp_path / "part.stl"
        lines = ["solid any"]
        for face in faces:
            lines += ["  facet normal 0 0 1", "    outer loop"]
            lines += [f"      vertex {corner}" for corner in face]
            lines += ["    endloop", "  endfacet"]
        path.write_text("\n".join([*lines, "endsolid any", ""]))
        solids.sort_facets(path)
        written.append(path.read_text())
    assert written[0] == written[1]
    turned = [[" ".join(corner) for corner in facet] for facet in solids.facets(path)]
    assert turned == [first, second]
