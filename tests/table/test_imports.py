"""What the table may import, and what must not be imported before it is needed."""

import ast
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
HEAVY = ("gpiozero", "luma", "PIL", "serial", "smbus2", "tomlkit", "lgpio", "rich")


def imported(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
    return found


def test_no_adapter_knows_a_rule() -> None:
    files = sorted((ROOT / "companion/table").glob("*.py"))
    assert len(files) > 10
    for path in files:
        wrong = [
            name
            for name in imported(path)
            if name.startswith("companion.")
            and not name.startswith(("companion.table", "companion.events", "companion.link"))
        ]
        assert wrong == [], path.name


def test_the_command_starts_without_the_heavy_packages() -> None:
    """On a Pi Zero each of them takes a second or more."""
    code = (
        "import sys; import companion.cli; "
        f"print([name for name in {HEAVY!r} if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
