"""Write the generated pages, and the firmware's version: `python -m companion.pages docs`."""

import sys
from pathlib import Path

from companion.pages.firmware import stamp
from companion.pages.mqtt import NAME as MQTT
from companion.pages.mqtt import mqtt_page
from companion.pages.phases import machine_in
from companion.pages.rules import rules_pages

FIRMWARE = Path(__file__).parents[2] / "firmware"


def main(arguments: list[str]) -> int:
    """Write every page below the folder given; 2 if there is none."""
    if len(arguments) != 1 or not Path(arguments[0]).is_dir():
        print("say into which folder: python -m companion.pages docs", file=sys.stderr)  # noqa: T201
        return 2
    for name, text in rules_pages().items():
        path = Path(arguments[0]) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (Path(arguments[0]) / MQTT).write_text(mqtt_page(), encoding="utf-8")
    referee = Path(arguments[0]) / "referee.md"
    if referee.exists():
        text = machine_in(referee.read_text(encoding="utf-8"))
        referee.write_text(text, encoding="utf-8")
    stamp(FIRMWARE)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
