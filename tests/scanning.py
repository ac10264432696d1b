"""Reading a code as a phone would: what zbar makes of a picture."""

import shutil
import subprocess
from pathlib import Path


def scanned(picture: Path) -> str:
    """What a code in a picture says; nothing if none is found."""
    reader = shutil.which("zbarimg")
    assert reader, "there is no zbarimg: `make test` installs it, or `apt install zbar-tools`"
    done = subprocess.run(
        [reader, "--quiet", "--raw", str(picture)], capture_output=True, text=True, check=False
    )
    return done.stdout.strip()
