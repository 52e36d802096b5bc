"""A shoe on record: the procedure, the file, and two verifiers that share no code and agree on every change."""

from __future__ import annotations

import argparse
import importlib.util
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from pontoon.cli import verify as command
from pontoon.cli.common.parser import Parser
from pontoon.table.commitment import Tree
from pontoon.table.fairness import (
    FairnessError,
    ShoeFileError,
    ShoeRecord,
    add_seal,
    announce,
    burn,
    cut,
    deal,
    open_seed,
    read,
    reveal,
    secret_tree,
    shuffle,
    verify,
    write,
)
from pontoon.table.shuffle import seal

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "verify_shoe.py"
HOUSE = bytes(range(32))


def load_script() -> Any:
    spec = importlib.util.spec_from_file_location("verify_shoe_script", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


standalone = load_script()


def announced(packs: int = 1) -> ShoeRecord:
    record = announce("table 1, shoe 1", packs, HOUSE)
    return add_seal(add_seal(record, "Ann", seal("lucky 7")), "Bob", seal(b"\x00\xff"))


def mixed(packs: int = 1) -> tuple[ShoeRecord, Tree]:
    record = open_seed(open_seed(announced(packs), "Bob", b"\x00\xff"), "Ann", "lucky 7")
    return shuffle(record, HOUSE)


def played(packs: int = 1, cards: int = 12, taken: int = 20) -> ShoeRecord:
    """The first and fourth card burned, then this many cards dealt."""
    record, tree = mixed(packs)
    record = burn(cut(record, taken, cutting_card=10))
    for number in range(cards):
        record = burn(record) if number == 2 else deal(record, tree)
    return record


PLAYING = played()
ENDED = reveal(PLAYING, HOUSE)


def names(record: ShoeRecord, ok: bool | None) -> list[str]:
    return [one.name for one in verify(record) if one.ok is ok]


def statuses(content: bytes, folder: Path) -> tuple[int, int]:
    """Exit status of `pontoon verify shoe` and of the stand-alone verifier."""
    file = folder / "one.shoe.json"
    file.write_bytes(content)
    try:
        ours = 1 if names(read(content), ok=False) else 0
    except ShoeFileError:
        ours = 2
    return ours, standalone.verdict(file)[0]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("shoes")


# --- the procedure ------------------------------------------------------------------------------------------------


def test_a_shoe_to_its_last_card(folder):
    record = reveal(played(packs=8, cards=383, taken=137), HOUSE)
    assert record.drawn == 384
    assert names(record, ok=True) == ["seals", "seed", "shuffle", "cards", "proofs", "order"]
    assert statuses(write(record), folder) == (0, 0)


def test_all_cards_out_and_not_yet_revealed():
    record, tree = mixed()
    record = cut(record, 0, None)
    for _ in range(48):
        record = deal(record, tree)
    assert names(record, ok=None) == ["seed", "shuffle"]
    with pytest.raises(FairnessError, match="empty"):
        deal(record, tree)


def test_what_can_be_checked_at_each_step(folder):
    """The checks that wait, from the announcement to the reveal; nothing fails on the way."""
    record = announce("table 1, shoe 1", 1, HOUSE)
    steps: list[tuple[ShoeRecord, list[str]]] = [
        (record, ["seed", "shuffle", "cards", "proofs", "order"]),
        (announced(), ["seals", "seed", "shuffle", "cards", "proofs", "order"]),
        (open_seed(announced(), "Ann", "lucky 7"), ["seals", "seed", "shuffle", "cards", "proofs", "order"]),
        (mixed()[0], ["seed", "shuffle", "cards", "proofs", "order"]),
        (cut(mixed()[0], 20, None), ["seed", "shuffle", "cards", "proofs"]),
        (PLAYING, ["seed", "shuffle", "cards"]),
        (ENDED, []),
        (reveal(announced(), HOUSE), ["seals", "shuffle", "cards", "proofs", "order"]),
    ]
    for one, waiting in steps:
        assert names(one, ok=None) == waiting
        assert names(one, ok=False) == []
        assert statuses(write(one), folder) == (0, 0)


def test_the_record_in_play_holds_no_secret():
    text = write(PLAYING).decode()
    assert HOUSE.hex() not in text
    assert len(PLAYING.dealt) == 11
    assert set(json.loads(text)["dealt"][0]) == {"index", "size", "card", "salt", "path"}


def test_the_tree_is_made_again_after_a_restart():
    assert secret_tree(PLAYING, HOUSE).proof(7) == mixed()[1].proof(7)


def test_the_cut_may_come_before_the_seeds_are_opened():
    record = cut(announced(), 20, 10)
    record = open_seed(open_seed(record, "Ann", "lucky 7"), "Bob", b"\x00\xff")
    record, tree = shuffle(record, HOUSE)
    assert deal(burn(record), tree).dealt == PLAYING.dealt[:1]


RECORD, TREE = mixed()
OTHER_TREE = shuffle(announce("another", 1, HOUSE), HOUSE)[1]


@pytest.mark.parametrize(
    ("step", "why"),
    [
        (lambda: add_seal(RECORD, "Cat", seal("c")), "closed"),
        (lambda: add_seal(cut(announced(), 1, 1), "Cat", seal("c")), "closed"),
        (lambda: add_seal(open_seed(announced(), "Ann", "lucky 7"), "Cat", seal("c")), "closed"),
        (lambda: add_seal(announced(), "Ann", seal("c")), "already"),
        (lambda: open_seed(announced(), "Cat", "c"), "not handed in a seal"),
        (lambda: open_seed(announced(), "Ann", "lucky 8"), "not the seed that Ann sealed"),
        (lambda: open_seed(RECORD, "Ann", "lucky 7"), "shuffled already"),
        (lambda: shuffle(announced(), HOUSE), "not opened: the seed of Ann, Bob"),
        (lambda: shuffle(RECORD, HOUSE), "shuffled already"),
        (lambda: shuffle(announce("a", 1, HOUSE), bytes(32)), "not the house seed"),
        (lambda: cut(PLAYING, 3, 3), "cut already"),
        (lambda: cut(RECORD, 48, 3), "takes 0 to 47"),
        (lambda: cut(RECORD, -1, 3), "takes 0 to 47"),
        (lambda: cut(RECORD, 20, 49), "48 cards"),
        (lambda: burn(RECORD), "not cut"),
        (lambda: burn(cut(announced(), 1, 1)), "root"),
        (lambda: burn(ENDED), "ended"),
        (lambda: deal(PLAYING, OTHER_TREE), "another shoe"),
        (lambda: reveal(PLAYING, bytes(32)), "not the house seed"),
    ],
)
def test_a_step_out_of_order_is_refused(step: Callable[[], object], why):
    with pytest.raises(FairnessError, match=why):
        step()


# --- tampering ----------------------------------------------------------------------------------------------------


def other(text: str, place: int = 0) -> str:
    return text[:place] + ("0" if text[place] != "0" else "f") + text[place + 1 :]


def change(*way: str | int, to: Callable[[Any], Any]) -> Callable[[Any], None]:
    def apply(data: Any) -> None:
        for step in way[:-1]:
            data = data[step]
        data[way[-1]] = to(data[way[-1]])

    return apply


def swap(key: str, first: int, second: int) -> Callable[[Any], None]:
    def apply(data: Any) -> None:
        data[key][first], data[key][second] = data[key][second], data[key][first]

    return apply


def drop(key: str, place: int) -> Callable[[Any], None]:
    return lambda data: data[key].pop(place)


PLAYING_DATA: Any = json.loads(write(PLAYING))

TAMPERED = {
    "root": change("root", to=other),
    "seed hash": change("seed_hash", to=other),
    "salt": change("dealt", 3, "salt", to=other),
    "card": change("dealt", 3, "card", to=lambda card: "As" if card != "As" else "Ks"),
    "a ten": change("dealt", 3, "card", to=lambda _: "10s"),
    "a card twice": change("dealt", 3, to=lambda _: PLAYING_DATA["dealt"][2]),
    "index": change("dealt", 3, "index", to=lambda index: index + 1),
    "index outside": change("dealt", 3, "index", to=lambda index: index + 48),
    "size": change("dealt", 3, "size", to=lambda size: size * 2),
    "path": change("dealt", 3, "path", 2, to=other),
    "path short": change("dealt", 3, "path", to=lambda path: path[:-1]),
    "path long": change("dealt", 3, "path", to=lambda path: [*path, path[0]]),
    "order": swap("dealt", 2, 3),
    "first card left out": drop("dealt", 0),
    "middle card left out": drop("dealt", 5),
    "cut": change("cut", to=lambda taken: taken + 1),
    "cut once around": change("cut", to=lambda taken: taken + 48),
    "cut not made": change("cut", to=lambda _: None),
    "cutting card outside": change("cutting_card", to=lambda _: 49),
    "nothing burned": change("burned", to=lambda _: []),
    "first not burned": drop("burned", 0),
    "another burned": change("burned", to=lambda places: [places[0], places[1] + 1]),
    "burned twice": change("burned", to=lambda places: [places[0], places[0]]),
    "burned backwards": swap("burned", 0, 1),
    "one more burned first": change("burned", to=lambda places: [0, 1, *places[1:]]),
    "burned far behind": change("burned", to=lambda places: [*places, 40]),
    "a player's seed": change("players", 0, "seed", to=other),
    "a player's seal": change("players", 0, "seal", to=other),
    "a player's seed away": change("players", 0, "seed", to=lambda _: None),
    "root away": change("root", to=lambda _: None),
    "packs": change("packs", to=lambda packs: packs + 1),
}
TAMPERED_AFTER = {
    "house seed": change("seed", to=other),
    "players swapped": swap("players", 0, 1),
    "a player left out": drop("players", 1),
    "a player's name": change("players", 1, "name", to=lambda _: "Cat"),
    "shoe": change("shoe", to=lambda name: name + "."),
}


@pytest.mark.parametrize("change_one", TAMPERED.values(), ids=TAMPERED)
@pytest.mark.parametrize("record", [PLAYING, ENDED], ids=["in play", "revealed"])
def test_a_change_is_found_by_both(record, change_one, folder):
    data = json.loads(write(record))
    change_one(data)
    found = statuses(json.dumps(data).encode(), folder)
    if change_one is TAMPERED["seed hash"] and record is PLAYING:
        assert found == (0, 0)  # a hash alone proves nothing until the seed is revealed
    else:
        assert found == (1, 1)


@pytest.mark.parametrize("change_one", TAMPERED_AFTER.values(), ids=TAMPERED_AFTER)
def test_a_change_is_found_by_both_after_the_reveal(change_one, folder):
    data = json.loads(write(ENDED))
    change_one(data)
    assert statuses(json.dumps(data).encode(), folder) == (1, 1)


def test_more_cards_than_the_shoe_has(folder):
    record = reveal(played(cards=47), HOUSE)
    more = replace(record, dealt=(*record.dealt, record.dealt[0]))
    assert statuses(write(more), folder) == (1, 1)
    assert "order" in names(more, ok=False)


def test_a_stack_with_other_cards_under_a_true_root(folder):
    """The house commits honestly to the wrong order: nothing shows until the reveal, then everything does."""
    record, _ = mixed()
    wrong = secret_tree(replace(record, shoe="another"), HOUSE)
    record = deal(cut(replace(record, root=wrong.commitment.root), 5, 5), wrong)
    assert names(record, ok=False) == []
    record = reveal(record, HOUSE)
    assert names(record, ok=False)[:2] == ["shuffle", "cards"]
    assert statuses(write(record), folder) == (1, 1)


@pytest.mark.parametrize("record", [PLAYING, ENDED], ids=["in play", "revealed"])
@given(data=st.data())
def test_both_agree_on_any_changed_byte(record, data, folder):
    content = write(record)
    place = data.draw(st.integers(0, len(content) - 1))
    byte = data.draw(st.integers(0, 255) | st.sampled_from(list(b'0123456789abcdefABCDEF ",{}[]:nul')))
    changed = content[:place] + bytes([byte]) + content[place + 1 :]
    ours, theirs = statuses(changed, folder)
    assert ours == theirs
    if ours == 0 and record is ENDED:
        # neither secret nor a card: the position of the cutting card, and white space
        same = replace(read(changed), cutting_card=record.cutting_card)
        assert same == record


UNREADABLE = {
    "empty": b"",
    "no object": b"[]",
    "no json": b"shoe",
    "utf-8": b"\xff\xfe",
    "mark": b"\xef\xbb\xbf" + write(PLAYING),
    "deep": b"[" * 100_000,
    "capitals": write(PLAYING).replace(PLAYING.seed_hash.encode(), PLAYING.seed_hash.upper().encode()),
    "surrogate": write(PLAYING).replace(b'"Ann"', b'"\\ud800"'),
    "key too many": write(PLAYING).replace(b'"shoe":', b'"more": 1, "shoe":'),
    "key missing": write(PLAYING).replace(b'"cut": 20,', b""),
    "a true number": write(PLAYING).replace(b'"cut": 20', b'"cut": true'),
    "a broken number": write(PLAYING).replace(b'"cut": 20', b'"cut": 20.0'),
    "nine packs": write(PLAYING).replace(b'"packs": 1', b'"packs": 9'),
    "no name": write(PLAYING).replace(b'"Ann"', b'""'),
    "another format": write(PLAYING).replace(b"pontoon shoe 1", b"pontoon shoe 2"),
    "a long seed": write(PLAYING).replace(b'"00ff"', b'"' + b"00" * 65 + b'"'),
    "an empty card": write(PLAYING).replace(f'"{PLAYING.dealt[0].card}"'.encode(), b'""'),
}


@pytest.mark.parametrize("content", UNREADABLE.values(), ids=UNREADABLE)
def test_both_refuse_what_is_no_shoe_file(content, folder):
    assert content != write(PLAYING)
    assert statuses(content, folder) == (2, 2)


def test_a_file_reads_back():
    for record in (announced(), PLAYING, ENDED):
        assert read(write(record)) == record


# --- the commands -------------------------------------------------------------------------------------------------


def run(capsys, *arguments: str) -> tuple[int, str, str]:
    top = Parser(prog="pontoon")
    command.add_to(top.add_subparsers(dest="command"))
    args: argparse.Namespace = top.parse_args(["verify", "shoe", *arguments])
    status = args.run(args)
    out, err = capsys.readouterr()
    return status, out, err


@pytest.fixture
def saved(tmp_path):
    def save(record: ShoeRecord) -> str:
        path = tmp_path / "one.shoe.json"
        path.write_bytes(write(record))
        return str(path)

    return save


def test_the_command_on_a_fair_shoe(capsys, saved):
    status, out, err = run(capsys, saved(ENDED))
    assert (status, err) == (0, "")
    assert out.count("✓") == 6
    assert out.endswith("\nas published\n")


def test_the_command_on_a_shoe_in_play(capsys, saved):
    status, out, _ = run(capsys, saved(PLAYING))
    assert status == 0
    assert "· seed: the house has not revealed its seed yet" in out
    assert out.endswith("cannot be checked yet: seed, shuffle, cards\n")


def test_the_command_on_a_changed_shoe(capsys, saved):
    status, out, _ = run(capsys, saved(replace(ENDED, cut=21)))
    assert status == 1
    assert "✗ order: dealt card 1, " in out
    assert out.endswith("NOT as published: order\n")


def test_the_command_as_json(capsys, saved):
    status, out, _ = run(capsys, "--json", saved(replace(PLAYING, burned=())))
    data = json.loads(out)
    assert status == 1
    assert (data["shoe"], data["ok"], data["complete"]) == ("table 1, shoe 1", False, False)
    assert [check["ok"] for check in data["checks"]] == [True, None, None, None, True, False]


def test_the_command_on_what_cannot_be_read(capsys, tmp_path, monkeypatch):
    status, out, err = run(capsys, str(tmp_path / "none"))
    assert (status, out) == (2, "")
    assert err.endswith("none: No such file or directory\n")
    monkeypatch.setattr(sys, "stdin", argparse.Namespace(buffer=argparse.Namespace(read=lambda: b"{}")))
    status, out, err = run(capsys, "-")
    assert (status, out, err.count("\n")) == (2, "", 1)


@pytest.mark.parametrize("optimised", [(), ("-O",)], ids=["plain", "without assertions"])
def test_the_stand_alone_verifier_as_a_program(optimised, saved, tmp_path):
    def start(file: str) -> tuple[int, str]:
        words = [sys.executable, *optimised, "-I", "-S", str(SCRIPT), file]  # no site packages: pontoon is out of reach
        done = subprocess.run(words, capture_output=True, encoding="utf-8", timeout=60, check=False)
        assert done.stderr == ""
        return done.returncode, done.stdout

    assert start(saved(ENDED)) == (0, "OK\n")
    assert start(saved(PLAYING)) == (0, "OK\n")
    assert start(saved(replace(ENDED, cut=21))) == (1, "order: dealt card 1 is not the next card\n")
    assert start(str(tmp_path / "none")) == (2, "this is not a shoe file\n")


def test_the_stand_alone_verifier_is_short_and_alone():
    lines = SCRIPT.read_text(encoding="utf-8").splitlines()
    assert len(lines) < 100
    imported = {line.split()[1].split(".")[0] for line in lines if line.startswith(("import ", "from "))}
    assert imported <= sys.stdlib_module_names
