"""What is published of each event: every kind has its row, every row names fields, every table event a sentence."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import fields

from pontoon.cards import PACK, Card
from pontoon.engine import Event, Hit, Limits
from pontoon.engine import events as e
from pontoon.rulebook import NAMES, load
from pontoon.rulebook.register import register
from pontoon.table import Table
from pontoon.table import commands as c
from pontoon.table import events as t
from pontoon.view.clauses import clause_words
from pontoon.view.events import MORE_ROUND_FACTS, ROUND_FACTS
from pontoon.view.table_events import MORE_FACTS, TABLE_FACTS, EventView, event_view
from pontoon.view.viewer import FACE_DOWN, Viewer, viewer_class
from pontoon.view.words import group
from tests.table.desk import Desk
from tests.view.twins import Twins, steps

SPECTATOR, ANN, BEN, OFFICIAL = Viewer(), Viewer("Ann"), Viewer("Ben"), Viewer("Dan", official=True)
WRAPPED = {t.InRound, t.CardLeftShoe, t.Reported}
"""The event of the round is told in its place; that a card left the shoe is told by where it went; a report is for the
authority."""

SECRET = {
    "order",  # of a shuffle
    "cards",  # burned, collected, put back
    "event",
}
"""Fields that are never sent unchanged."""


def test_every_event_of_a_table_has_its_row():
    """The visible fields of each event; add a row with every new event."""
    kinds = set(t.TableEvent.__subclasses__()) - WRAPPED
    assert set(TABLE_FACTS) == kinds
    assert set(MORE_FACTS) <= kinds


def test_every_event_of_a_round_has_its_row():
    assert set(ROUND_FACTS) == set(Event.__subclasses__())
    assert set(MORE_ROUND_FACTS) <= set(ROUND_FACTS)


def test_no_row_names_a_secret_or_a_field_that_is_not_there():
    for kind, names in [*TABLE_FACTS.items(), *ROUND_FACTS.items()]:
        assert set(names) <= {field.name for field in fields(kind)}
        assert not set(names) & SECRET
    faces = {kind for kind, names in ROUND_FACTS.items() if "card" in names}
    assert faces == {e.CardDealt, e.CardBurned, e.CardExposed}
    assert not [kind for kind, names in TABLE_FACTS.items() if "card" in names]


TABLE_RULINGS = {"Reconstruct", "RemoveExtraHand", "ShuffleDiscards", "VoidEarlier"}


def test_every_reason_and_ruling_has_words():
    assert set(group("shuffle")) == set(t.Reshuffle.__args__)  # type: ignore[attr-defined]
    from pontoon.table.rounds import IRREGULAR

    rulings = {one.__name__ for one in IRREGULAR} | TABLE_RULINGS
    assert rulings == set(group("ruling")) == set(group("proposal"))


TABLE = Table(load("division-15"), 4)
CASES: list[tuple[t.TableEvent, str]] = [
    (t.TableOpened(()), "The table is open"),
    (t.CardsChecked((), "dealer"), "The dealer has checked the cards"),
    (t.CardsShown((), "Ann"), "The cards are spread for Ann"),
    (t.CardsShown((), ""), "The cards were spread; no player came in time"),
    (t.SealBroken((), whole=True), "The sealed cards are opened"),
    (t.SealBroken((), whole=False), "The seal was broken: these cards are not used"),
    (t.CardsShuffled((), PACK, 48, washed=True), "48 cards are washed and shuffled"),
    (t.ShoeCommitted((), "aa", "bb"), "The house has committed to this shoe"),
    (t.ShoeRevealed((), "cc"), "The last shoe is revealed; you can check it now"),
    (t.CutOffered((), ("Ann", "Ben")), "Ann is offered the cut"),
    (t.CutOffered((), ()), "The dealer has the cards cut"),
    (t.CutDeclined((), "Ann"), "Ann declines the cut"),
    (t.CardsCut((), "pit_boss", 70), "The pit boss cuts 70 cards"),
    (t.CardsCut((), "ann lee", 70), "Ann lee cuts 70 cards"),
    (t.CuttingCardPlaced((), 48), "The cutting card goes in with 48 cards behind it"),
    (t.CuttingCardPlaced((), -1), "The cards go into the shoe without the cutting card"),
    (t.DeviceLoaded((), PACK, 48), "The device is loaded with 48 cards"),
    (t.CardsBurned((), ("7s",), 1), "1 card is burned face down"),
    (t.CardsBurned((), tuple(PACK[:5]), 5), "5 cards are burned face down"),
    (t.BurnShown((), "Ann"), "Ann sees the burned card"),
    (t.PlayerSat((), "Ann", 3), "Ann sits down at box 3"),
    (t.PlayerLeft((), "Ann"), "Ann leaves the table"),
    (
        t.LimitsSet((), Limits(1000, 20000), 30000),
        "New limits: minimum $10, maximum $200, $300 a box",
    ),
    (t.LimitsSet((), Limits(1000), 0), "New limits: minimum $10"),
    (t.LimitsAnnounced((), Limits(1000, 20000), 0), "Notice of new limits: minimum $10, maximum $200"),
    (t.SideBetsOffered((), ("perfect_pairs",)), "Side bets at this table: perfect_pairs"),
    (t.SideBetsOffered((), ()), "This table offers no side bets"),
    (t.LateEntryHeld((), hold=True, by="operator"), "Players who come late or sit out are held to the minimum"),
    (t.LateEntryHeld((), hold=False, by="operator", player="Ann"), "Ann is not held to the minimum for coming late"),
    (t.BoxesAllowed((), 1, "operator"), "Each player may play 1 box"),
    (t.BoxesAllowed((), 2, "operator", "Ann"), "Ann may play 2 boxes"),
    (t.BoxesAllowed((), 0, "operator"), "Each player may play any number of boxes"),
    (t.ControlTaken((), 3, "Ann", "operator"), "Ann gives up control of box 3"),
    (t.HoursSet((), open=False), "The hours of gaming are over"),
    (t.HoursSet((), open=True), "The hours of gaming begin"),
    (
        t.DisputeDecided((), "Ann", "a total", "it was 20", "operator", 500, house=True),
        "Dispute of Ann (a total), decided by the operator as the house's own decision: it was 20; Ann receives $5",
    ),
    (
        t.DisputeDecided((), "Ann", "a payment", "too much", "operator", -500),
        "Dispute of Ann (a payment), decided by the operator: too much; Ann pays $5",
    ),
    (t.PersonalLimitAllowed((), "Ann", 3, 50000), "Ann may bet up to $500 on box 3"),
    (t.PlayerRestricted((), "Ann", "pit_boss", "counts"), "Ann is restricted to few boxes at the minimum"),
    (t.PlayerExcluded((), "Ann", "operator", "cheats"), "Ann is excluded from the game"),
    (t.RoundBegan((), 7), "Round 7: place your bets"),
    (t.ControlDeclined((), 3, "Ann"), "Ann will not make the decisions for box 3"),
    (t.Announced((), "No more bets"), "No more bets"),
    (
        t.Ruled((), "VoidBox", "dealer", "inspector", "misdealt"),
        "The dealer reports: box void, misdealt (approved by the inspector)",
    ),
    (t.Ruled((), "Another", "dealer", "", ""), "The dealer reports: Another"),
    (t.PartnersDeclared((), ("Ann", "Ben"), "operator"), "Ann and Ben count as one player"),
    (
        t.RoundReconstructed((), "dealt_again", PACK[:3], ()),
        "The round is put right: its 3 cards are dealt again as they should have come",
    ),
    (
        t.RoundReconstructed((), "laid_again", PACK[:3], ()),
        "The round is put right: its 3 cards are laid again as complete hands",
    ),
    (t.ExtraHandRemoved((), PACK[:2]), "The extra hand is void; 2 cards are burned"),
    (
        t.DisputeDecided((), "Ann", "a payment", "it stands", "operator"),
        "Dispute of Ann (a payment), decided by the operator: it stands",
    ),
    (t.CuttingCardCame((), "first"), "The cutting card comes as the first card"),
    (t.CuttingCardCame((), "dealer"), "The cutting card comes at the dealer's hand"),
    (t.CuttingCardCame((), "3"), "The cutting card comes at box 3"),
    (t.ShuffleFellDue((), "during"), "A shuffle is due: the cutting card has come"),
    (t.DiscardsShuffled((), PACK), "The shoe is empty: 0 discards are shuffled"),
    (t.LeftOverRemoved((), PACK[:1]), "1 card is left over and removed from play"),
    (t.HandCollected((), 1, 1, PACK[:2]), "Box 1: the cards go to the discard rack"),
    (
        t.AuthorityNotified((), "Government Inspectorate", "a shuffle was ordered", "a bent card"),
        "The Government Inspectorate is notified: a shuffle was ordered",
    ),
    (t.DealerChanged((), "Dora", ""), "Dora deals now"),
    (t.CardsCollected((), PACK[:9]), "9 cards are collected"),
    (t.DiscardsReturned((), PACK), "0 discards go back into the device"),
    (t.CardsChanged((), "worn"), "The cards are changed: worn"),
    (t.CardReplaced((), Card("7s")), "A damaged card is replaced by a new one of the same kind"),
    (t.DeviceJammed((), PACK), "The device jammed and was loaded again"),
    (t.DeviceFailed((), PACK), "The device failed: an ordinary shoe takes its place"),
    (t.ClosingNoticed((), "rounds", 3), "Notice: this table closes after the last rounds"),
    (t.TableClosed(()), "The table is closed"),
    (t.EarlierRoundVoided((), 4, (("Ann", -500),)), "Round 4 is void: all payments are reversed"),
    (t.AmountOwed((), "Ann", 500), "Ann owes $5"),
]


@pytest.mark.parametrize(("event", "words"), CASES)
def test_a_table_event_is_said_and_names_no_card(event, words):
    told = event_view(event, TABLE, TABLE, OFFICIAL)
    assert told is not None
    assert told.words == words
    data = msgspec.json.encode(told)
    assert not [card for card in PACK if f'"{card}"'.encode() in data]
    again = msgspec.json.decode(data, type=EventView)
    assert (again.type, again.words) == (type(event).__name__, words)


def test_each_kind_of_table_event_has_a_case():
    assert {type(event) for event, _ in CASES} == set(TABLE_FACTS)


def test_why_somebody_is_held_back_stays_in_the_record():
    for event in (t.PlayerRestricted((), "Ann", "operator", "counts"), t.PlayerExcluded((), "Ann", "operator", "x")):
        told = event_view(event, TABLE, TABLE, OFFICIAL)
        assert told is not None
        assert "reason" not in told.facts


def test_nothing_is_shown_of_a_card_that_left_the_shoe():
    assert event_view(t.CardLeftShoe((), Card("7s")), TABLE, TABLE, ANN) is None


def test_a_report_leaves_for_nobody_and_a_word_to_one_player_for_nobody_else():
    report = t.Reported((), "commission", "restriction", "Ann", "operator", "tracked")
    word = t.Announced((), "You may consult an officer", "Ann")
    for viewer in (SPECTATOR, ANN, BEN, OFFICIAL):
        assert event_view(report, TABLE, TABLE, viewer) is None
        assert (event_view(word, TABLE, TABLE, viewer) is None) == (viewer != ANN)
    assert [viewer_class(TABLE, viewer, (word,)) for viewer in (SPECTATOR, ANN, BEN)] == ["", " Ann", ""]


def test_a_burned_card_is_shown_to_the_player_who_asks_and_nobody_else():
    desk = Desk("division-15").ready("Ann 1", "Ben 2", cards="7s")
    desk.do(c.BurnFirst())
    before = desk.table
    events = desk.do(c.ShowBurn("Ann"))
    told = {viewer: event_view(events[0], before, desk.table, viewer) for viewer in (SPECTATOR, ANN, BEN, OFFICIAL)}
    assert told[ANN] == EventView(
        "BurnShown", {"player": "Ann", "card": "7s"}, events[0].clauses, "The burned card is 7s"
    )
    assert told[SPECTATOR] == told[BEN] == told[OFFICIAL]
    assert told[BEN] == EventView("BurnShown", {"player": "Ann"}, events[0].clauses, "Ann sees the burned card")
    assert {viewer_class(desk.table, viewer) for viewer in told} == {""}
    assert viewer_class(desk.table, ANN, events) != viewer_class(desk.table, BEN, events) == ""


def test_a_card_burned_in_error_is_burned_unseen():
    for reason, words in (("in_error", "A card is burned unseen"), ("face_up", "7s is burned")):
        event = e.CardBurned(Card("7s"), reason, ())  # type: ignore[arg-type]
        told = event_view(t.InRound((), event), TABLE, Desk("adelaide").ready("Ann 1").bet("1 Ann 10").table, ANN)
        assert told is not None
        assert told.words == words
        assert ("card" in told.facts) == (reason == "face_up")


def told_of(desk: Desk, command: c.TableCommand, viewer: Viewer) -> list[EventView]:
    before = desk.table
    found = [event_view(*step, viewer) for step in steps(before, desk.do(command))]
    return [one for one in found if one is not None]


def test_a_card_is_shown_with_its_place_and_total():
    desk = Desk("star").ready("Ann 1", cards="7s 9d 8h").bet("1 Ann 10")
    first = told_of(desk, c.Deal(), SPECTATOR)[0]
    assert (first.type, first.facts["card"], first.words) == ("CardDealt", "7s", "Box 1: 7s")
    assert told_of(desk, c.Deal(), SPECTATOR)[0].words == "Dealer: 9d"
    assert told_of(desk, c.Deal(), SPECTATOR)[0].words == "Box 1: 7s 8h = 15"


def test_a_face_down_card_is_shown_to_its_bettors_only():
    desk = (
        Desk("adelaide", face_down=True).ready("Ann 1", "Ben 2", cards="7s 2h 9d 8h 3c 5d").bet("1 Ann 10", "2 Ben 10")
    )
    before = desk.table
    step = steps(before, desk.do(c.Deal()))[1]
    ann, ben, official = (event_view(*step, viewer) for viewer in (ANN, BEN, OFFICIAL))
    assert ann is not None
    assert ben is not None
    assert (ann.facts["card"], ann.facts["total"], ann.words) == ("7s", 7, "Box 1: 7s")
    assert (ben.facts["card"], ben.facts["total"], ben.words) == (FACE_DOWN, 0, "Box 1: ??")
    assert official == ben
    desk.deal(4)
    desk.play(Hit(1))
    third = steps(desk.table, desk.do(c.Deal()))[1]
    ben = event_view(*third, BEN)
    assert ben is not None
    assert (ben.facts["card"], ben.facts["total"], ben.words) == ("5d", 0, "Box 1: ?? ?? 5d")


def test_a_pair_left_unsplit_face_down_is_for_its_bettors():
    desk = (
        Desk("adelaide", face_down=True).ready("Ann 1", "Ben 2", cards="8s 2h 9d 8h 3c 4d").bet("1 Ann 10", "2 Ben 10")
    )
    desk.deal(5)
    before = desk.table
    events = desk.play(Hit(1))
    names = {
        viewer: [one.type for step in steps(before, events) if (one := event_view(*step, viewer))]
        for viewer in (ANN, BEN)
    }
    assert names == {ANN: ["SplitBarred", "CardCalled"], BEN: ["CardCalled"]}


@pytest.mark.parametrize("book", NAMES)
def test_every_event_of_an_evening_has_words_or_accompanies_one_that_has(book):
    twins = Twins(book, "manual", 5)
    silent = {"NoMoreBetsCalled"}
    for _ in range(150):
        twins.step(trouble=0.2)
        for step, _ in twins.done:
            told = event_view(*step, SPECTATOR)
            if told is None:
                private = isinstance(step[0], t.Announced) and bool(step[0].to)
                assert private or isinstance(step[0], t.CardLeftShoe | t.Reported)
                continue
            assert told.clauses == step[0].clauses
            assert told.words or told.type in silent, told
            assert not told.words.endswith("]")
            assert told.type == "Announced" or not told.words.startswith("You")


@pytest.mark.parametrize("book", NAMES)
def test_every_clause_behind_an_announcement_has_words(book):
    rules = load(book)
    cited = {clause for source in rules.sources.values() for clause in source.clauses}
    assert not [clause for clause in cited if not clause_words(rules, clause)]
    assert all(clause_words(rules, one.number) == one.text for one in register(book))
    assert clause_words(rules, "nothing (a)") == ""
