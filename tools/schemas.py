"""Write the JSON Schemas of the package from the structs in src/pontoon/cli/outputs, and their page on the site.

python tools/schemas.py            write them
python tools/schemas.py --check    only report files that are not up to date

tests/json_promises.txt lists what each version of a schema promises: keys with their types. A key that is added gets a
line; a line that no longer holds means that the output needs a new version.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from pontoon.cli.outputs import OUTPUTS, Output

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "src" / "pontoon" / "cli" / "schemas"
PAGE = ROOT / "docs" / "json.md"
PROMISES = ROOT / "tests" / "json_promises.txt"
ANYTHING = {"description": "any JSON value"}
DRAFT = "https://json-schema.org/draft/2020-12/schema"
TOP = """# JSON outputs

Every command with `--json` prints one JSON value with a schema; `pontoon schema NAME` prints it. The schemas below are
made from the structs in `src/pontoon/cli/outputs` by `tools/schemas.py`, and every test that runs a command with
`--json` checks its output against them.

A schema has a version. While the version stays, keys and words may be added, but none is renamed or removed and no key
changes its type or meaning; a test compares every schema with what its version promised. A program should ignore keys
that it does not know.

`--format csv` and `--format parquet` print the rows under the key in the column "table": nested values get columns such
as `frequencies_win`, and the rulebook, packs and stake begin every row. Parquet needs
`pip install 'pontoon21[data]'`. In Python the same tables are data frames: `to_frame()` on edges, charts, counts and
simulations ([library](library.md#tables)).

| schema | version | table | for example |
| --- | ---: | --- | --- |
"""


def schema_of(name: str, output: Output) -> dict[str, Any]:
    """The JSON Schema of an output."""
    made = msgspec.json.schema(output.type, schema_hook=lambda _: ANYTHING)
    _allow_more(made)
    title = f"{output.example} --json"
    return {"$schema": DRAFT, "$id": f"urn:pontoon21:{name}:{output.version}", "title": title, **made}


def _allow_more(schema: Any) -> None:  # noqa: ANN401 any part of a schema
    """Allow keys that a later version adds; the tests allow none."""
    if isinstance(schema, dict):
        if schema.get("additionalProperties") is False:
            del schema["additionalProperties"]
        for part in schema.values():
            _allow_more(part)


def promises(schema: dict[str, Any]) -> Iterator[str]:
    """What a program may rely on: `key: type`, `key?: type` if it may be left out, `key = word` for each word."""
    definitions = schema.get("$defs", {})
    yield f": {kind_of(schema, definitions)}"
    yield from _promises(schema, "", definitions, ())


def _promises(schema: dict[str, Any], path: str, definitions: dict[str, Any], inside: tuple[str, ...]) -> Iterator[str]:
    while "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[1]
        if name in inside:  # a structure that contains itself
            return
        schema, inside = definitions[name], (*inside, name)
    yield from (f"{path} = {word}" for word in schema.get("enum", ()))
    for key, part in schema.get("properties", {}).items():
        mark = "" if key in schema.get("required", ()) else "?"
        yield f"{path}.{key}{mark}: {kind_of(part, definitions)}"
        yield from _promises(part, f"{path}.{key}", definitions, inside)
    parts = [*schema.get("anyOf", ()), *schema.get("prefixItems", ())]
    parts += [schema[key] for key in ("items", "additionalProperties") if isinstance(schema.get(key), dict)]
    for part in parts:
        yield from _promises(part, f"{path}[]", definitions, inside)


def kind_of(schema: dict[str, Any], definitions: dict[str, Any]) -> str:
    """The type of a part of a schema in a word or two, such as `integer or null`."""
    while "$ref" in schema:
        schema = definitions[schema["$ref"].rsplit("/", 1)[1]]
    if "anyOf" in schema:
        return " or ".join(kind_of(part, definitions) for part in schema["anyOf"])
    if isinstance(items := schema.get("items"), dict):
        return f"array of {kind_of(items, definitions)}"
    if isinstance(values := schema.get("additionalProperties"), dict):
        return f"object of {kind_of(values, definitions)}"
    return str(schema.get("type", "word" if "enum" in schema else "anything"))


def promised(before: str) -> tuple[str, list[str]]:
    """The list of promises brought up to date, and the broken ones: lines of a current version that no longer hold."""
    made = {
        f"{name} {output.version} {line}"
        for name, output in OUTPUTS.items()
        for line in promises(schema_of(name, output))
    }
    current = {f"{name} {output.version}" for name, output in OUTPUTS.items()}
    kept = {line for line in before.splitlines() if " ".join(line.split(" ", 2)[:2]) in current}
    broken = sorted(line for line in kept if not {line, line.replace("?:", ":")} & made)
    return "\n".join(sorted(made | set(broken))) + "\n", broken


def page() -> str:
    """The page that lists them."""
    from pontoon.cli.common.tables import TABLES  # noqa: PLC0415 only the page needs it

    rows = []
    for name, output in OUTPUTS.items():
        table = "" if name not in TABLES else f"`{TABLES[name]}`" if TABLES[name] else "itself"
        rows.append(f"| [{name}](schemas/{name}.json) | {output.version} | {table} | `{output.example} --json` |")
    return TOP + "\n".join(rows) + "\n"


def files() -> dict[Path, str]:
    """Every file and what belongs in it."""
    index = {name: {"version": output.version, "example": output.example} for name, output in OUTPUTS.items()}
    found: dict[Path, Any] = {FOLDER / "index.json": index}
    found |= {FOLDER / f"{name}.json": schema_of(name, output) for name, output in OUTPUTS.items()}
    return {path: json.dumps(data, indent=1) + "\n" for path, data in found.items()} | {
        PAGE: page(),
        PROMISES: promised(PROMISES.read_text(encoding="utf-8"))[0],
    }


def main(arguments: list[str]) -> int:
    """Write the files, or report those that are not up to date."""
    wanted = files()
    old = [path for path, text in wanted.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    old += [path for path in FOLDER.glob("*.json") if path not in wanted]
    for path in old:
        print(path.relative_to(ROOT))
        if "--check" not in arguments:
            path.parent.mkdir(exist_ok=True)
            path.write_text(wanted[path], encoding="utf-8") if path in wanted else path.unlink()
    broken = promised(PROMISES.read_text(encoding="utf-8"))[1]
    for line in broken:
        print(f"no longer true, so raise the version in src/pontoon/cli/outputs: {line}")
    return 1 if broken or (old and "--check" in arguments) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
