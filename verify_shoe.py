"""Check a Pontoon shoe file with only Python's standard library: `python3 verify_shoe.py FILE.shoe.json`.

Prints OK (exit status 0), the first fault (1), or that it is not a shoe file (2). docs/fairness.md explains the bytes.
"""
# ruff: noqa: ANN401, D103, T201

import hashlib
import json
import re
import sys
from hmac import digest as mac
from pathlib import Path
from typing import Any

PACK = [rank + suit for suit in "cdhs" for rank in "A23456789JQK"]
HASH, INT, TEXT = "[0-9a-f]{64}", range(65536), "[^\ud800-\udfff]{1,64}"  # patterns of values; (x,) means x or null
PLAYER = {"name": TEXT, "seal": HASH, "seed": ("([0-9a-f]{2}){1,64}",)}
PROOF = {"index": INT, "size": INT, "card": TEXT, "salt": HASH, "path": [HASH]}
SHOE = {"format": "pontoon shoe 1", "shoe": TEXT, "packs": range(1, 9), "seed_hash": HASH, "seed": (HASH,)}
SHOE |= {"players": [PLAYER], "root": (HASH,), "cut": (INT,), "cutting_card": (INT,), "burned": [INT], "dealt": [PROOF]}


def fits(value: Any, kind: Any) -> bool:
    if isinstance(kind, dict):
        return isinstance(value, dict) and value.keys() == kind.keys() and all(fits(value[k], kind[k]) for k in kind)
    if isinstance(kind, list):
        return isinstance(value, list) and all(fits(item, kind[0]) for item in value)
    if isinstance(kind, tuple):
        return value is None or fits(value, kind[0])
    if isinstance(kind, range):
        return type(value) is int and value in kind
    return isinstance(value, str) and bool(re.fullmatch(kind, value))


def sha(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()


def proved_root(proof: Any) -> str | None:
    place, width, path = proof["index"], proof["size"], [bytes.fromhex(node) for node in proof["path"]]
    node = sha(b"\0", place.to_bytes(2, "big"), proof["card"].encode(), bytes.fromhex(proof["salt"]))
    while width > 1 and place < width:
        if place ^ 1 < width:  # otherwise the last node of an odd row, which moves up unchanged
            beside = path.pop(0) if path else b""
            node = sha(b"\1", beside, node) if place % 2 else sha(b"\1", node, beside)
        place, width = place // 2, (width + 1) // 2
    return None if path or place else node.hex()


def root_from_seeds(shoe: Any, size: int) -> str:
    people = [sha(player["name"].encode()) + sha(bytes.fromhex(player["seed"])) for player in shoe["players"]]
    message = [b"pontoon shoe 1", sha(shoe["shoe"].encode()), bytes([shoe["packs"]]), len(people).to_bytes(2, "big")]
    key = mac(bytes.fromhex(shoe["seed"]), b"".join(message + people), "sha256")
    blocks = (mac(key, b"shuffle" + number.to_bytes(8, "big"), "sha256") for number in range(size))
    words = (int.from_bytes(block[at : at + 2], "big") for block in blocks for at in range(0, 32, 2))
    stack = PACK * shoe["packs"]
    for n in range(size, 1, -1):  # Fisher-Yates; words that would favour low numbers are skipped
        other = next(word for word in words if word < 65536 // n * n) % n
        stack[n - 1], stack[other] = stack[other], stack[n - 1]
    salts = [mac(key, b"salt" + at.to_bytes(2, "big"), "sha256") for at in range(size)]
    row = [sha(b"\0", at.to_bytes(2, "big"), stack[at].encode(), salts[at]) for at in range(size)]
    while len(row) > 1:
        row = [sha(b"\1", *row[at : at + 2]) if at + 1 < len(row) else row[at] for at in range(0, len(row), 2)]
    return row[0].hex()


def checks(shoe: Any) -> Any:
    size, root, cut, burned, dealt = 48 * shoe["packs"], shoe["root"], shoe["cut"], shoe["burned"], shoe["dealt"]
    for player in shoe["players"]:
        sealed = sha(b"pontoon seal 1", bytes.fromhex(player["seed"] or "")).hex()
        yield sealed == player["seal"] if player["seed"] else not root, f"seals: not {player['name']}'s sealed seed"
    if shoe["seed"]:
        yield sha(bytes.fromhex(shoe["seed"])).hex() == shoe["seed_hash"], "seed: the house announced a different one"
        yield not root or root_from_seeds(shoe, size) == root, "shuffle: the seeds give a different root"
    gone, cards = len(burned) + len(dealt), [card["card"] for card in dealt]
    yield not gone or (root and cut is not None), "order: a card left the shoe before the root or the cut"
    yield max(cut or 0, gone - 1) < size >= (shoe["cutting_card"] or 0), "order: more cards than there are"
    places = [place for place in range(gone) if place not in burned]
    yield burned == sorted(set(burned)) and len(places) == len(dealt), "order: a gap at a burned card"
    for at, one in enumerate(dealt):
        yield one["card"] in PACK and cards[:at].count(one["card"]) < shoe["packs"], f"cards: card {at + 1} is extra"
        yield one["size"] == size and proved_root(one) == root, f"proofs: dealt card {at + 1} does not lead to the root"
        yield one["index"] == (places[at] + cut) % size, f"order: dealt card {at + 1} is not the next card"


def verdict(file: Path) -> tuple[int, str]:
    try:
        shoe = json.loads(file.read_bytes().decode())
    except (OSError, ValueError, RecursionError):
        shoe = None
    if not fits(shoe, SHOE):
        return 2, "this is not a shoe file"
    return next(((1, words) for ok, words in checks(shoe) if not ok), (0, "OK"))


if __name__ == "__main__":
    status, line = verdict(Path(sys.argv[-1]))
    print(line)
    sys.exit(status)
