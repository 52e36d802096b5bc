"""Build the documentation site and pack it for the wheel: `python tools/site_archive.py`.

Every link is checked. `pontoon serve` serves the archive, src/pontoon/web/docs.zip, under /docs. It leaves out what no
page needs: pictures of the README, source maps, and the search's other languages.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent
ARCHIVE = ROOT / "src" / "pontoon" / "web" / "docs.zip"
MOST = 3_000_000
"""Bytes of the archive."""
SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)
DATE = (1980, 1, 1, 0, 0, 0)
"""One date for all files, so that the same site gives the same archive."""


def needed(site: Path) -> Iterator[Path]:
    """The files of a site that its pages need."""
    pages = "".join(path.read_text(encoding="utf-8") for path in site.rglob("*.html"))
    for path in sorted(path for path in site.rglob("*") if path.is_file()):
        folders = path.relative_to(site).parts[:-1]
        unused = "pictures" in folders and path.name not in pages
        if path.suffix not in (".map", ".gz", ".xml") and "lunr" not in folders and not unused:
            yield path


def hashes(site: Path) -> list[str]:
    """The scripts inside the pages, as a content security policy names them."""
    found = {script for path in site.rglob("*.html") for script in SCRIPT.findall(path.read_text(encoding="utf-8"))}
    digests = (base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in found)
    return sorted(f"sha256-{digest}" for digest in digests)


def pack(site: Path, archive: Path) -> int:
    """Write the archive in one step, and return the number of bytes when unpacked."""
    files = {str(path.relative_to(site).as_posix()): path.read_bytes() for path in needed(site)}
    files["scripts.json"] = json.dumps(hashes(site)).encode()
    with TemporaryDirectory(dir=archive.parent) as place:
        part = Path(place) / archive.name
        with zipfile.ZipFile(part, "w") as packed:
            for name, data in files.items():
                packed.writestr(zipfile.ZipInfo(name, DATE), data, zipfile.ZIP_DEFLATED, 9)
        part.replace(archive)
    return sum(map(len, files.values()))


def main() -> int:
    """Build and pack; the exit status is 1 if a link is broken or the archive is too large."""
    with TemporaryDirectory() as site:
        build = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--site-dir", site]
        if subprocess.run(build, cwd=ROOT, check=False).returncode:  # noqa: S603 our own command
            return 1
        unpacked = pack(Path(site), ARCHIVE)
    size = ARCHIVE.stat().st_size
    print(f"{ARCHIVE.relative_to(ROOT)}: {size / 1e6:.2f} MB, unpacked {unpacked / 1e6:.2f} MB")
    return 1 if size >= MOST else 0


if __name__ == "__main__":
    sys.exit(main())
