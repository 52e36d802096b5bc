"""Writing a round as a transcript: the inverse of reading and replaying it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from pontoon.cards import JOKER
from pontoon.engine import Event, Limits, Round, evolve
from pontoon.engine import events as e
from pontoon.engine.dealing import CARD_DUE
from pontoon.engine.doubling import may_forfeit
from pontoon.engine.state import hand_in_turn
from pontoon.money import dollars
from pontoon.rulebook import NAMES, Rulebook, canonical, digest, load, plain_value

NO_LIMITS = Limits()


def write(
    rules: Rulebook,
    events: Iterable[Event],
    *,
    decks: int = 0,
    limits: Limits = NO_LIMITS,
    title: str = "",
    pin: bool = False,
) -> str:
    """Write the transcript of a round from its events; `pin` puts the rulebook itself into it, whichever it is."""
    events = tuple(events)
    order = [card for card in map(_card_of, events) if card]
    cards = " ".join(order)
    actions = [_text(line) for line in _numbered(_lines(Round(rules, limits), events), events, order)]
    parts = [f"# {title}"] if title.isprintable() and title else []
    parts += [f"rulebook = {_text(rules.about.name)}", *_book(rules, pin=pin), f"cards = {_text(cards)}"]
    parts += ["actions = [", *(f"  {line}," for line in actions), "]"] if actions else ["actions = []"]
    options = _options(rules, decks, limits)
    if options:
        parts += ["", "[options]", *options]
    for bet in _bets(events):
        parts += ["", "[[bets]]", *bet]
    return "\n".join(parts) + "\n"


def _book(rules: Rulebook, *, pin: bool) -> list[str]:
    """The rulebook itself with its digest, unless its name and the overrides say it all."""
    shipped = not pin and rules.about.name in NAMES and digest(load(rules.about.name, _chosen(rules))) == digest(rules)
    return [] if shipped else [f"digest = {_text(digest(rules))}", f"book = {_text(canonical(rules))}"]


def _chosen(rules: Rulebook) -> dict[str, object]:
    return {override.key: plain_value(rules, override.key) for override in rules.overrides}


def _text(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)  # a JSON string is a TOML string


def _options(rules: Rulebook, decks: int, limits: Limits) -> list[str]:
    rows = [f"decks = {decks}"] if decks else []
    amounts = {name: getattr(limits, name) for name in ("minimum", "maximum", "smallest_chip")}
    amounts |= {name: getattr(limits, name) for name in ("box_maximum", "player_maximum")}
    for bet in limits.side:
        amounts |= {f"{bet.bet}_minimum": bet.minimum, f"{bet.bet}_maximum": bet.maximum}
    rows += [f"{name} = {_text(dollars(amount))}" for name, amount in amounts.items() if amount]
    return rows + [f"{_text(key)} = {json.dumps(value)}" for key, value in _chosen(rules).items()]


def _bets(events: tuple[Event, ...]) -> Iterator[list[str]]:
    """Bets in the order they were placed, the player given control of a box first.

    A side wager made later has its own row without a stake; withdrawn wagers are left out.
    """
    bets: list[tuple[int, str, list[str]]] = []
    for event in events:
        if isinstance(event, e.NoMoreBetsCalled):
            break
        if isinstance(event, e.WagerTakenBack):
            bets = [bet for bet in bets if bet[:2] != (event.box, event.player)]
        if isinstance(event, e.ControlPassed):
            bets.sort(key=lambda bet, first=(event.box, event.player): bet[:2] != first)  # type: ignore[misc]
        if isinstance(event, e.WagerPlaced):
            bets.append((event.box, event.player, [f"stake = {_text(dollars(event.offered))}"]))
        elif isinstance(event, e.SideWagerPlaced):
            if not bets or bets[-1][:2] != (event.box, event.player):
                bets.append((event.box, event.player, ['stake = "0"']))
            bets[-1][2].append(f"{event.kind} = {_text(dollars(event.stake))}")
    for box, player, rows in bets:
        yield [f"box = {box}", f"player = {_text(player)}", *rows]


def _numbered(lines: Iterator[str], events: tuple[Event, ...], order: list[str]) -> Iterator[str]:
    """Add to a burn line which card of the shoe is meant, where another card of the round has the same face."""
    cards = [event for event in events if _card_of(event)]
    burned = [
        (place, event.card)
        for place, event in enumerate(cards, 1)
        if isinstance(event, e.CardBurned) and event.reason != "exposed"
    ]
    for line in lines:
        if line.split()[1] in ("burn", "burned"):
            place, card = burned.pop(0)
            yield f"{line} {place}" if order.count(card) > 1 else line
        else:
            yield line


def _card_of(event: Event) -> str:
    """The card that left the shoe with this event."""
    if isinstance(event, e.JokerDealt):
        return JOKER
    return event.card if isinstance(event, e.CardDealt | e.CardBurned) else ""


def _lines(state: Round, events: tuple[Event, ...]) -> Iterator[str]:
    """The action lines; events caused by a rule have none."""
    binds = state.rules.surrender.mode == "controller_binds"
    absent: set[tuple[int, int]] = set()
    surrendered: set[int] = set()
    closed = 0
    before: Event | None = None
    for event in events:
        closed += isinstance(event, e.OfferClosed) and not _all_answered(state)
        moment, state = _moment(state, event), evolve(state, event)
        absentee = before if isinstance(before, e.BettorWasAbsent) else None
        if isinstance(event, e.PlayerWasAbsent):
            absent.add((event.box, event.hand))
        if isinstance(event, e.CardMissed):
            absent.discard((event.box, event.hand))
        before = event
        if isinstance(event, e.CardCalled) and (event.box, event.hand) in absent:
            continue
        if isinstance(event, e.Surrendered):
            if binds and event.box in surrendered:
                continue
            surrendered.add(event.box)
        # one line for the bettor who is absent and what follows from it
        line = _line_in(state, event, events) if absentee is None else _absent(absentee, event)
        if line:
            if isinstance(event, _IN_AN_OFFER):
                yield from ["dealer goes on"] * closed  # else the line would be read as part of the offer
            closed = 0
            yield line if absentee else f"{line}{moment}"
    kinds = {type(event) for event in events}
    if e.DealerSkipped in kinds and e.NoFirstCardNoticed not in kinds:
        yield _no_first_card(events)  # the round ended before it was noticed


def _all_answered(state: Round) -> bool:
    """Whether an offer closes by itself: a forfeit that nobody is left to answer."""
    return state.phase == "forfeit" and not any(map(may_forfeit, hand_in_turn(state).wagers))


def _line_in(state: Round, event: Event, events: tuple[Event, ...]) -> str:
    """The line of an event, where the round around it matters."""
    if isinstance(event, e.NoFirstCardNoticed):
        return _no_first_card(events)
    if isinstance(event, e.CardCalled) and hand_in_turn(state).doubled:
        return f"b{event.box} double"  # made before its card was missed, carried out now
    return _line(event)


def _absent(absentee: e.BettorWasAbsent, then: Event) -> str:
    left = isinstance(then, e.PlayerWasAbsent) and then.left
    return f"b{absentee.box}/{absentee.player} absent{' no cards' if left else ''}"


def _no_first_card(events: tuple[Event, ...]) -> str:
    house = any(isinstance(event, e.DealerSkipped) and event.by_house for event in events)
    return "house skipped dealer" if house else "dealer skipped dealer"


def _line(event: Event) -> str:
    """The line of a decision; empty for events that are not a player's decision."""
    match event:
        case e.InsuranceMade(box=box, player=player, owner_box=other, owner=owner, amount=amount):
            target = "" if (box, player) == (other, owner) else f"b{other}/{owner} "
            return f"b{box}/{player} insure {target}{dollars(amount)}"
        case e.Doubled(box=box, player=player, amount=amount):
            return f"b{box}/{player} double {dollars(amount)}"
        case e.WagerRode(box=box, player=player, on=on):
            return f"b{box}/{player} ride {on}"
        case e.Settled(box=box, player=player, kind="main", result="forfeit"):
            return f"b{box}/{player} forfeit"
        case e.CardCalled(box=box) | e.Stood(box=box, by="player") | e.CardRefused(box=box):
            return f"b{box} {_BOX_VERBS[type(event)]}"
        case (
            e.InsuranceDeclined(box=box, player=player)
            | e.Surrendered(box=box, player=player)
            | e.SurrenderDeclined(box=box, player=player)
            | e.SplitMade(box=box, player=player)
            | e.SplitCovered(box=box, player=player)
            | e.Kept(box=box, player=player)
            | e.WagerWithdrawn(box=box, player=player)
        ):
            return f"b{box}/{player} {_BETTOR_VERBS[type(event)]}"
        case e.PlayerWasAbsent(box=box, left=left):
            return f"b{box} absent{' no cards' if left else ''}"
        case _:
            return _official_line(event)


def _official_line(event: Event) -> str:
    """The line of an irregularity or a ruling: by the dealer or a supervisor, or by the house where it decided."""
    house = getattr(event, "by_house", False)
    words = _irregularity(event)
    if words:
        return f"{'house' if house else 'dealer'} {words}"
    words = _void(event)
    return f"{'house' if house else 'supervisor'} void {words}" if words else ""


def _irregularity(event: Event) -> str:
    match event:
        case e.CardBurned(card=card, reason=reason):
            return _BURNS.get(reason, "burn {card}").format(card=card)
        case e.CardExposed():
            return "exposed"
        case e.OfferOpened(offer=offer, late=True, box=box, player=player):
            return f"omitted {offer} b{box}/{player}" if player else f"omitted {offer}"
        case e.HandSkipped(box=box):
            return f"skipped b{box}"
        case e.SkipNoticed(box=box):
            return f"noticed b{box}"
        case e.CardMissed(box=box, hand=hand):
            return f"missed b{box}.{hand}"
        case e.MissPutRight(box=box, hand=hand):
            return f"put right b{box}.{hand}" if box else "skipped dealer"
        case _:
            return ""


def _void(event: Event) -> str:
    match event:
        case e.BoxVoided(box=box):
            return f"b{box}"
        case e.HandVoided(box=box, hand=hand):
            return f"b{box}.{hand}"
        case e.WagerVoided(box=box, player=player):
            return f"b{box}/{player}"
        case e.RoundVoided():
            return "round"
        case _:
            return ""


def _moment(before: Round, event: Event) -> str:
    """When an official line happened, where the order of the lines does not tell: how many cards were out."""
    between = before.phase in CARD_DUE
    timed = (
        (isinstance(event, e.CardMissed) and not event.noticed)
        or (isinstance(event, e.CardExposed) and before.phase != "decision")
        or (isinstance(event, e.SkipNoticed) and before.phase not in ("decision", "dealer"))
        or (isinstance(event, _VOIDS) and between)
    )
    return f" at {before.cards_used}" if timed else ""


_BURNS = {
    "exposed": "",
    "in_error": "burned {card} in error",
    "dealer_early": "burn {card} early",
    "left_over": "burn {card} left over",
}
_VOIDS = (e.BoxVoided, e.HandVoided, e.WagerVoided, e.RoundVoided)
_IN_AN_OFFER = (
    e.Surrendered,
    e.SurrenderDeclined,
    e.WagerWithdrawn,
    e.CardBurned,
    e.CardExposed,
    e.CardMissed,
    e.MissPutRight,
    e.SkipNoticed,
    *_VOIDS,
)
"""Lines that could also answer an open offer."""
_BOX_VERBS: dict[type[Event], str] = {
    e.CardCalled: "hit",
    e.Stood: "stand",
    e.CardRefused: "refuse",
}
_BETTOR_VERBS: dict[type[Event], str] = {
    e.InsuranceDeclined: "no insurance",
    e.Surrendered: "surrender",
    e.SurrenderDeclined: "play",
    e.SplitMade: "split",
    e.SplitCovered: "split",
    e.Kept: "keep",
    e.WagerWithdrawn: "withdraw",
}
