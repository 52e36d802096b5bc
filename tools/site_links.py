"""Links of the documentation site: those to files outside docs/ become plain text, since the site has only docs/.

mkdocs calls `on_page_markdown` for each page (mkdocs.yml). A link to a file that does not exist is an error. The JSON
Schemas are files of the package, and the page of every command comes from their help; `on_files` gives them a place.
"""

from __future__ import annotations

import logging
import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
LINK = re.compile(r"\[([^\]]+)\]\((\.\./[^)#\s]+)(#[^)\s]*)?\)")
SCHEMAS = ROOT / "src" / "pontoon" / "cli" / "schemas"
LOG = logging.getLogger("mkdocs.plugins.site_links")


def on_files(files: Any, config: Any, **_: Any) -> Any:  # noqa: ANN401 mkdocs's own types
    """The files of the site with the JSON Schemas and the page of commands."""
    from mkdocs.structure.files import File  # noqa: PLC0415 the tests of links need no mkdocs

    sys.path[:0] = [str(ROOT), str(ROOT / "src")]
    from tools.site_commands import reference  # noqa: PLC0415 the path is set above

    for path in sorted(SCHEMAS.glob("*.json")):
        files.append(File.generated(config, f"schemas/{path.name}", abs_src_path=str(path)))
    files.append(File.generated(config, "reference.md", content=reference()))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:  # noqa: ANN401 mkdocs's own types
    """The text of a page without links that leave docs/."""

    def plain(match: re.Match[str]) -> str:
        target = (ROOT / "docs" / page.file.src_path).parent.joinpath(match[2]).resolve()
        if target.is_relative_to(ROOT / "docs"):
            return match[0]
        if not target.exists():
            LOG.warning("%s: no such file: %s", page.file.src_path, match[2])
        return f"{match[1]} (`{match[2].removeprefix('../')}`)" if match[1] != match[2] else f"`{match[2]}`"

    return LINK.sub(plain, markdown)
