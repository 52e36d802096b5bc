"""The public record of a provably fair shoe, and the checks anyone can make of it.

A record holds only what is public at that moment; the house seed enters it when the shoe ends. Each step takes a
record and gives the next one:

>>> house = bytes(32)
>>> record = announce("table 1, shoe 1", packs=1, server_seed=house)
>>> record = add_seal(record, "Ann", seal("lucky 7"))
>>> record = open_seed(record, "Ann", "lucky 7")
>>> record, tree = shuffle(record, house)
>>> record = burn(cut(record, 20, cutting_card=12))
>>> record = deal(record, tree)
>>> record.dealt[-1].index, record.dealt[-1].card
(21, '4c')
>>> [f"{one.name} {one.ok}" for one in verify(reveal(record, house))]
['seals True', 'seed True', 'shuffle True', 'cards True', 'proofs True', 'order True']
"""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from pontoon.cards import PACK, Card
from pontoon.table.commitment import Hash, Number, Proof, Tree, check, commit
from pontoon.table.shuffle import MOST_PACKS, new_stack, player_seed, seal, seed_hash, shoe_key, shuffled

PlayerSeed = Annotated[str, Meta(pattern=r"\A(?:[0-9a-f]{2}){1,64}\Z")]
Name = Annotated[str, Meta(min_length=1, max_length=64)]


class FairnessError(Exception):
    """A step that the procedure does not allow now."""


class ShoeFileError(Exception):
    """The file is not a shoe file."""


class Player(Struct, frozen=True, forbid_unknown_fields=True):
    """A player's part in the shuffle: the seal first, the seed once all seals are in."""

    name: Name
    seal: Hash
    seed: PlayerSeed | None


class ShoeRecord(Struct, frozen=True, forbid_unknown_fields=True):
    """The record of one shoe from announcement to reveal; null for steps still to come."""

    format: Literal["pontoon shoe 1"]
    shoe: Name
    """The shoe's identifier, which is an input to the shuffle."""
    packs: Annotated[int, Meta(ge=1, le=MOST_PACKS)]
    seed_hash: Hash
    """SHA-256 of the house seed, published first."""
    players: tuple[Player, ...]
    """Players in the order their seals arrived."""
    root: Hash | None
    """Published before the first wager."""
    cut: Number | None
    """Number of cards cut from the front to the back; 0 without a cut."""
    cutting_card: Number | None
    """How many cards are behind the cutting card."""
    burned: tuple[Number, ...]
    """Places of burned cards, counted from 0 at the front after the cut."""
    dealt: tuple[Proof, ...]
    """Every other card that left the shoe, in order."""
    seed: Hash | None
    """The house seed, once the shoe has ended or is void."""

    @property
    def size(self) -> int:
        return len(PACK) * self.packs

    @property
    def drawn(self) -> int:
        """Number of cards that have left the shoe, and so the position of the next one."""
        return len(self.burned) + len(self.dealt)


class Check(Struct, frozen=True):
    """One check: passed, failed, or (None) not possible yet."""

    name: str
    ok: bool | None
    words: str


# --- the steps, in their order ------------------------------------------------------------------------------------


def announce(shoe: str, packs: int, server_seed: bytes) -> ShoeRecord:
    """Step 1: the house binds itself to its seed."""
    new_stack(packs)
    shoe_key(server_seed, shoe, packs, ())
    return ShoeRecord("pontoon shoe 1", shoe, packs, seed_hash(server_seed), (), None, None, None, (), (), None)


def add_seal(record: ShoeRecord, name: str, player_seal: str) -> ShoeRecord:
    """Step 2: a player hands in a sealed seed."""
    _require(record.root is None and record.cut is None and record.seed is None, "the seals are closed")
    _require(all(player.seed is None for player in record.players), "a seed is open already; the seals are closed")
    _require(all(player.name != name for player in record.players), f"{name} has handed in a seal already")
    return replace(record, players=(*record.players, Player(name, player_seal, None)))


def open_seed(record: ShoeRecord, name: str, seed: str | bytes) -> ShoeRecord:
    """Step 3: a player opens the seed under the seal."""
    _require(record.root is None and record.seed is None, "the cards are shuffled already")
    mine = next((player for player in record.players if player.name == name), None)
    if mine is None:
        raise FairnessError(f"{name} has not handed in a seal")
    _require(seal(seed) == mine.seal, f"this is not the seed that {name} sealed")
    opened = replace(mine, seed=player_seed(seed).hex())
    return replace(record, players=tuple(opened if player is mine else player for player in record.players))


def shuffle(record: ShoeRecord, server_seed: bytes) -> tuple[ShoeRecord, Tree]:
    """Step 4: shuffle, and bind the stack by its root. The tree is the house's secret."""
    _require(record.root is None and record.seed is None, "the cards are shuffled already")
    tree = secret_tree(record, server_seed)
    return replace(record, root=tree.commitment.root), tree


def secret_tree(record: ShoeRecord, server_seed: bytes) -> Tree:
    """The stack and its proofs recomputed from the seeds, as after a restart."""
    _require(seed_hash(server_seed) == record.seed_hash, "this is not the house seed that was announced")
    waiting = [player.name for player in record.players if player.seed is None]
    _require(not waiting, f"not opened: the seed of {', '.join(waiting)}")
    return _tree(record, server_seed)


def cut(record: ShoeRecord, taken: int, cutting_card: int | None) -> ShoeRecord:
    """Step 5: `taken` cards go from the front to the back; the cutting card has `cutting_card` cards behind it.

    Usually after the root is out. It may come before the seeds are opened: the seals already fix the order.
    """
    _require(record.cut is None and record.seed is None, "the cards are cut already")
    _require(0 <= taken < record.size, f"a cut takes 0 to {record.size - 1} cards")
    _require(cutting_card is None or 0 <= cutting_card <= record.size, f"there are {record.size} cards")
    return replace(record, cut=taken, cutting_card=cutting_card)


def burn(record: ShoeRecord) -> ShoeRecord:
    """Step 6: the next card leaves the shoe unseen."""
    _ready(record)
    return replace(record, burned=(*record.burned, record.drawn))


def deal(record: ShoeRecord, tree: Tree) -> ShoeRecord:
    """Step 7: the next card leaves the shoe with its proof, `record.dealt[-1]`."""
    place = _ready(record)
    _require(tree.commitment.root == record.root, "this is the tree of another shoe")
    return replace(record, dealt=(*record.dealt, tree.proof(place)))


def reveal(record: ShoeRecord, server_seed: bytes) -> ShoeRecord:
    """Step 8: the shoe has ended or is void; the house shows its seed."""
    _require(seed_hash(server_seed) == record.seed_hash, "this is not the house seed that was announced")
    return replace(record, seed=server_seed.hex())


def _ready(record: ShoeRecord) -> int:
    """The index in the stack of the next card to leave the shoe."""
    _require(record.root is not None, "the root is not published yet")
    _require(record.seed is None, "the shoe has ended")
    _require(record.drawn < record.size, "the shoe is empty")
    if record.cut is None:
        raise FairnessError("the cards are not cut yet")
    return (record.drawn + record.cut) % record.size


def _require(allowed: bool, otherwise: str) -> None:  # noqa: FBT001 reads as a sentence
    if not allowed:
        raise FairnessError(otherwise)


def _tree(record: ShoeRecord, server_seed: bytes) -> Tree:
    seeds = [(player.name, bytes.fromhex(player.seed)) for player in record.players if player.seed is not None]
    key = shoe_key(server_seed, record.shoe, record.packs, seeds)
    return commit(shuffled(record.packs, key), server_seed, key)


# --- the file -----------------------------------------------------------------------------------------------------


def write(record: ShoeRecord) -> bytes:
    """A record as the text of a `.shoe.json` file."""
    return msgspec.json.format(msgspec.json.encode(record), indent=1) + b"\n"


def read(content: bytes) -> ShoeRecord:
    """Read a `.shoe.json` file; raises an error that tells why if it is not one."""
    try:
        return msgspec.json.decode(content, type=ShoeRecord)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise ShoeFileError(str(error)) from None


# --- the checks ---------------------------------------------------------------------------------------------------


def verify(record: ShoeRecord) -> tuple[Check, ...]:
    """Every check in order; as far as can be seen, a shoe is fair if none failed."""
    stack = _stack(record)
    verdicts = {
        "seals": _seals(record),
        "seed": _seed(record),
        "shuffle": _shuffle(record, stack),
        "cards": _cards(record, stack),
        "proofs": _proofs(record),
        "order": _order(record),
    }
    return tuple(Check(name, ok, words) for name, (ok, words) in verdicts.items())


Verdict = tuple[bool | None, str]


def _stack(record: ShoeRecord) -> Tree | None:
    """The stack recomputed from the revealed seeds, if all are known."""
    if record.seed is None or record.root is None or any(player.seed is None for player in record.players):
        return None
    return _tree(record, bytes.fromhex(record.seed))


def _seals(record: ShoeRecord) -> Verdict:
    """Check that each player's seed matches its seal and none is missing after the shuffle."""
    missing = [player.name for player in record.players if player.seed is None]
    for player in record.players:
        if player.seed is not None and seal(bytes.fromhex(player.seed)) != player.seal:
            return False, f"the seed of {player.name} is not the one that was sealed"
    if missing and record.root is not None:
        return False, f"shuffled without the seed of {missing[0]}"
    if missing:
        return None, f"not opened: the seed of {', '.join(missing)}"
    if not record.players:
        return True, "no player handed in a seed"
    return True, f"opened as they were sealed: {', '.join(player.name for player in record.players)}"


def _seed(record: ShoeRecord) -> Verdict:
    if record.seed is None:
        return None, "the house has not revealed its seed yet"
    if seed_hash(bytes.fromhex(record.seed)) != record.seed_hash:
        return False, "the house seed is not the one whose hash was published"
    return True, "the house seed has the hash that was published"


def _shuffle(record: ShoeRecord, stack: Tree | None) -> Verdict:
    """The root is that of the order which the seeds give, a shuffle of exactly the packs."""
    if record.root is None and record.drawn:
        return False, "cards left the shoe before the root was published"
    if record.root is None:
        return None, "the cards are not shuffled yet"
    if record.seed is None:
        return None, "the order of the stack is secret until the house reveals its seed"
    if stack is None:
        return False, "seeds are missing, so the order cannot be made again"
    if stack.commitment.root != record.root:
        return False, "the order which the seeds give has another root than the published one"
    return True, f"the seeds give the published root: {record.packs} x {len(PACK)} cards in this order"


def _cards(record: ShoeRecord, stack: Tree | None) -> Verdict:
    """Check that the cards belong to the packs and, after the reveal, to the recomputed stack."""
    seen: Counter[Card] = Counter()
    for number, one in enumerate(record.dealt, start=1):
        seen[one.card] += 1
        if one.card not in PACK:
            return False, f"dealt card {number}, {one.card!r}, is not in a pontoon pack"
        if seen[one.card] > record.packs:
            return (
                False,
                f"dealt card {number}, {one.card}, came more often than {record.packs} packs have it",
            )
        if stack is not None and one.index < record.size and stack.proof(one.index).card != one.card:
            return False, f"dealt card {number}, {one.card}, is not the one that the seeds put there"
    if stack is not None:
        return True, f"{record.size} cards, exactly {record.packs} of each of the {len(PACK)}"
    if len(record.dealt) == record.size:
        return True, f"all {record.size} cards came out, exactly {record.packs} of each of the {len(PACK)}"
    return None, f"no card came out more than {record.packs} times; the undealt cards are secret yet"


def _proofs(record: ShoeRecord) -> Verdict:
    """Each dealt card is bound by the root to the place it claims."""
    for number, one in enumerate(record.dealt, start=1):
        if one.size != record.size or record.root is None or not check(record.root, one):
            return False, f"the proof of dealt card {number}, {one.card}, does not lead to the root"
    if not record.dealt:
        return None, "no card is dealt yet"
    return True, f"each of {len(record.dealt)} dealt cards is proved by the root"


def _order(record: ShoeRecord) -> Verdict:
    """Check that cards left the shoe in order after the cut, including burned ones."""
    if record.cut is None and record.drawn:
        return False, "cards left the shoe before the cut"
    if record.cut is None:
        return None, "the cards are not cut yet"
    if record.cut >= record.size or (record.cutting_card or 0) > record.size:
        return False, f"the cut or the cutting card is outside the {record.size} cards"
    gone = set(record.burned)
    if list(record.burned) != sorted(gone) or max(gone, default=-1) >= record.drawn or record.drawn > record.size:
        return False, "the burned cards do not fit between the dealt ones without a gap"
    places = (place for place in range(record.drawn) if place not in gone)
    for number, (place, one) in enumerate(zip(places, record.dealt, strict=False), start=1):
        if one.index != (place + record.cut) % record.size:
            return False, f"dealt card {number}, {one.card}, is not the next one after cut and burn"
    return True, f"cut {record.cut}, burned {len(gone)}, dealt {len(record.dealt)}: from the front without a gap"
