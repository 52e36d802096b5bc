"""What goes wrong in the evening, each in its round: how it comes about, what is ruled, and who approves it."""

from __future__ import annotations

from typing import Any

from tests.browser.evening import Evening, Moment, Trouble

WRONG_BOX = "Card on the wrong box"
IN_ERROR = "Card drawn or burned in error"
INITIAL, TWENTY_ONE = 2, 21


def deciding(view: Any) -> bool:
    return bool(view["round"] and view["round"].get("stage") == "decision")


def later(view: Any) -> bool:
    """Somebody has drawn or stood; a pontoon is no decision."""
    hands = [hand for box in (view["round"] or {}).get("boxes", ()) for hand in box.get("hands", ())]
    return deciding(view) and any(
        len(hand["cards"]) > INITIAL or (hand.get("stood") and hand["total"] < TWENTY_ONE) for hand in hands
    )


def first_decision(view: Any) -> bool:
    """Nobody has drawn or stood yet."""
    return deciding(view) and not later(view)


def over(view: Any) -> bool:
    return bool(view["phase"] == "collect")


def untouched(view: Any) -> bool:
    """The call was made, and no card is dealt."""
    now = view["round"]
    hands = [hand for box in (now or {}).get("boxes", ()) for hand in box.get("hands", ())]
    return bool(now and now["stage"] == "initial_deal" and not any(hand["cards"] for hand in hands))


def pair(view: Any) -> bool:
    return deciding(view) and view["round"]["turn"][0] == 1


async def exposed(evening: Evening) -> None:
    """The next card is drawn too early and seen; it stays the next card."""
    said = await evening.report(IN_ERROR, "drawn while nobody asked for it")
    await evening.rule(said, "A card was drawn in error and seen", {"Card, as in 7s": evening.shoe[-1]})


async def face_up(evening: Evening) -> None:
    said = await evening.report("Card face up in the shoe", "seen by all")
    await evening.rule(said, "Burn the card found face up", {"Card, as in 7s": evening.next_card()})


async def burned(evening: Evening) -> None:
    said = await evening.report(IN_ERROR, "went into the rack")
    await evening.rule(said, "A card burned in error stays burned", {"Card, as in 7s": evening.next_card()}, "Carl")


async def too_many(evening: Evening) -> None:
    said = await evening.report("Dealer drew too far", "a card on a hand that was complete")
    await evening.rule(said, "Burn the extra card the dealer drew", {"Card, as in 7s": evening.next_card()})


async def dealt_again(evening: Evening) -> None:
    """The first two cards went to each other's box."""
    said = await evening.report(WRONG_BOX, "first cards of boxes 1 and 3")
    await evening.swap(said, "Deal the cards again in their order", ("1", "2"), "Iris")


async def laid_again(evening: Evening) -> None:
    """Two second cards change places; after the initial deal only the management approves."""
    said = await evening.report(WRONG_BOX, "second cards of boxes 3 and 5")
    await evening.swap(said, "Lay the hands as they should be", ("box 3", "box 5"), "Carl")


async def void_box(evening: Evening) -> None:
    said = await evening.report(WRONG_BOX, "box 3 cannot be put right")
    await evening.rule(said, "Void box 3", {}, "Carl")


async def void_hand(evening: Evening) -> None:
    """Box 1 splits, and its second hand is void."""
    await evening.key("p")
    while (await evening.settled())["waits"].get("card_to"):
        await evening.deal()
    said = await evening.report(WRONG_BOX, "second hand of box 1")
    await evening.rule(said, "Void hand 2 of box 1", {})


async def void_wager(evening: Evening) -> None:
    said = await evening.report("Late or changed wager", "chips put down after the call, box 5")
    await evening.rule(said, "Void Seat 5's wager on box 5", {})


async def void_round(evening: Evening) -> None:
    said = await evening.report(WRONG_BOX, "nobody knows the order of the cards")
    await evening.rule(said, "Void the round", {}, "Carl")


async def passed_over(evening: Evening) -> None:
    said = await evening.report("Card or hand left out", "box 1 was not asked")
    await evening.rule(said, "Box 1 was passed over", {})


async def no_first_card(evening: Evening) -> None:
    """It is found after the first decision, which completes the initial deal: until then the cards are laid again."""
    said = await evening.report("Card or hand left out", "the dealer took no card")
    await evening.rule(said, "The dealer took no first card", {})
    while not later(await evening.settled()):
        await evening.act(await evening.table.view())
    said = await evening.report("Card or hand left out", "the dealer still has no card")
    await evening.rule(said, "The next card is the dealer's first", {})


async def extra_hand(evening: Evening) -> None:
    cards = f"{evening.next_card()} {evening.next_card()}"
    said = await evening.report("A hand too many", "box 6 has no wager")
    await evening.rule(said, "Remove the hand too many", {"Cards in order, as in 7s Kd": cards})


async def dispute(evening: Evening) -> None:
    """One person decides, and money moves."""
    said = await evening.report("Wrong payment or dispute", "Seat 1 says $10 are missing")
    fields = {"What is disputed": "a short payment", "Decision": "paid", "Amount to the player": "10"}
    await evening.rule(said, "Decide Seat 1's dispute", fields, "")
    evening.chips["Seat 1"] += 1000
    evening.tray -= 1000


async def wrong_payment(evening: Evening) -> None:
    """The dealer paid or took $5 in favour of Seat 3 and notices it."""
    await evening.paid_otherwise("Seat 3", 500)


EIGHTS = ["8c", "7c", "5c", "9d", "8d", "Kc", "9c"]
"""Boxes 1, 3 and 5, the dealer, and the second cards: box 1 has a pair, boxes 3 and 5 have 17 and 14."""

TROUBLES: tuple[tuple[Moment, Trouble, list[str]], ...] = (
    (first_decision, exposed, []),
    (first_decision, void_box, []),
    (deciding, face_up, []),
    (deciding, burned, []),
    (over, too_many, []),
    (first_decision, dealt_again, []),
    (later, laid_again, []),
    (pair, void_hand, EIGHTS),
    (first_decision, void_wager, []),
    (first_decision, void_round, []),
    (first_decision, passed_over, []),
    (untouched, no_first_card, []),
    (later, extra_hand, []),
    (over, wrong_payment, []),
    (over, dispute, []),
)
