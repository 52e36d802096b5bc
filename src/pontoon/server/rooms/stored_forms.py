"""Structures as snapshots store them: without what can be derived, and with unions where a base class stands."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import fields


def stored_form(kind: type[Struct], changed: dict[str, Any], without: Iterable[str]) -> Any:  # noqa: ANN401 made at run time
    """The same structure without some fields, and with some of another type."""
    rows: list[Any] = []
    for field in fields(kind):
        if field.name in without:
            continue
        shape = changed.get(field.name, field.type)
        if isinstance(shape, type) and issubclass(shape, Struct) and not field.required and field.name in changed:
            rows.append((field.name, shape, msgspec.field(default_factory=shape)))
        elif field.required:
            rows.append((field.name, shape))
        elif field.default is not msgspec.NODEFAULT:
            rows.append((field.name, shape, field.default))
        else:
            rows.append((field.name, shape, msgspec.field(default_factory=field.default_factory)))
    return msgspec.defstruct(f"Stored{kind.__name__}", rows, frozen=True, omit_defaults=True)


def bare(kind: Any, whole_one: Any, **given: object) -> Any:  # noqa: ANN401 made at run time
    """The stored form of a structure; `given` are fields in their stored form."""
    return kind(**({name: getattr(whole_one, name) for name in kind.__struct_fields__} | given))


def whole(kind: Any, bare_one: Any, **given: object) -> Any:  # noqa: ANN401 made at run time
    """A structure from its stored form; `given` are the fields that were not stored, or had another form."""
    return kind(**({name: getattr(bare_one, name) for name in bare_one.__struct_fields__} | given))
