"""A settled round for a pit desk: cards, each payment in order with odds and clauses, net per player."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pontoon.engine import Round
from pontoon.rulebook import Rulebook, digest
from pontoon.view.words import (
    dealer_words,
    hand_words,
    money_words,
    place_words,
    row_words,
    settled_words,
    wager_words,
)


def headline(rules: Rulebook, decks: int) -> str:
    """Which rules: name, packs, the operator's overrides, digest."""
    changed = "".join(f", {override.key}={override.value} (was {override.was})" for override in rules.overrides)
    return f"{rules.about.name}, {decks} packs{changed}, rules {digest(rules)}"


def settled_round(state: Round, players: Mapping[str, int]) -> list[str]:
    """The lines of a settled round, below its headline."""
    lines = columns(
        [
            ("dealer", " ".join(state.dealer), dealer_words(state)),
            *(
                (place_words(state, box.number, number), " ".join(hand.cards), hand_words(state, hand))
                for box in state.boxes
                for number, hand in enumerate(box.hands, 1)
            ),
        ]
    )
    lines += ["", "Payments, in order"]
    lines += [f"  {row}" for row in columns(_payments(state), right={5})]
    lines += ["", "Net"]
    net = [(player, money_words(amount)) for player, amount in players.items()]
    net.append(("house", money_words(-sum(players.values()))))
    lines += [f"  {row}" for row in columns(net, right={1})]
    lines += ["", f"{state.cards_used} cards used"]
    return lines


def _payments(state: Round) -> list[tuple[str, ...]]:
    return [
        (
            settlement.moment,
            place_words(state, settlement.box, settlement.hand),
            settlement.player,
            wager_words(state.rules, settlement),
            settled_words(settlement) + row_words(state, settlement),
            money_words(settlement.net),
            " ".join(settlement.clauses),
        )
        for settlement in state.settlements
    ]


def columns(rows: Sequence[Sequence[str]], right: set[int] = frozenset()) -> list[str]:  # type: ignore[assignment]
    """Align rows of words in columns two spaces apart.

    >>> columns([("a", "10"), ("bcd", "5")], right={1})
    ['a    10', 'bcd   5']
    """
    if not rows:
        return []
    widths = [max(len(row[index]) for row in rows) for index in range(len(rows[0]))]
    return [
        "  ".join(
            cell.rjust(width) if index in right else cell.ljust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
