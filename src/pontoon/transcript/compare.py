"""The same cards and decisions under another rulebook."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from pontoon.rulebook import Rulebook, load
from pontoon.transcript.model import Transcript
from pontoon.transcript.replay import RefusedLine, Replay, packs_allowed, replay, rules_of
from pontoon.transcript.result import nets


class Comparison(Struct, frozen=True):
    """A round under its own rulebook and under another, with what had to be left out."""

    original: Replay
    other: Replay | RefusedLine
    notes: tuple[str, ...]

    @property
    def nets_before(self) -> dict[str, int]:
        """Each player's result under the transcript's own rulebook."""
        return nets(self.original.transcript.players, self.original.state.settlements)

    @property
    def difference(self) -> dict[str, int]:
        """Each player's gain under the other rulebook."""
        before = self.nets_before
        after = nets(before, self.other.state.settlements)
        return {player: after[player] - net for player, net in before.items()}


def compare(transcript: Transcript, name: str, overrides: Mapping[str, object]) -> Comparison | RefusedLine:
    """Settle under the transcript's rulebook and under `name`, whose own overrides are given.

    Overrides in the file belong to its own document and are dropped, and so are side wagers the other document does not
    have; both are reported. A line refused under its own rulebook leaves nothing to compare.
    """
    original = replay(transcript, rules_of(transcript))
    if isinstance(original, RefusedLine):
        return original
    rules = load(name, overrides)
    notes = []
    left = sorted(set(transcript.overrides) - set(overrides))
    if left:
        notes.append(f"overrides of {original.rules.about.name} left out: {', '.join(left)}")
    decks = transcript.decks or original.rules.decks.default
    if decks not in packs_allowed(transcript, rules):
        notes.append(f"{rules.about.name} is not dealt from {decks} packs; the cards are taken as they are")
    other = replace(
        transcript, rulebook=rules.about.name, book="", digest="", overrides=overrides, decks=decks, paid={}
    )
    other = _without_unknown_side_wagers(other, rules, notes)
    return Comparison(original, replay(other, rules), tuple(notes))


def _without_unknown_side_wagers(transcript: Transcript, rules: Rulebook, notes: list[str]) -> Transcript:
    """Keep the players in the bets, without the side wagers this rulebook does not offer."""
    bets, offered = [], {bet.name for bet in rules.side if bet.offered}
    for bet in transcript.bets:
        side = tuple((kind, amount) for kind, amount in bet.side if kind in offered)
        if side != bet.side:
            notes.append(f"{transcript.rulebook} has no such side wager: {bet.player} on box {bet.box} plays without")
        bets.append(replace(bet, side=side))
    return replace(transcript, bets=tuple(bets))
