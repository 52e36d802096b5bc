"""Hands to share: a link to a finished round that anyone can open, with verdicts, other casinos and proof."""

from __future__ import annotations

from collections import OrderedDict
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request, Response
from msgspec import Struct

from pontoon.cards import Card
from pontoon.engine.events import WagerPlaced
from pontoon.money import dollars
from pontoon.server.api.dependencies import HouseHere, Number, Signed, TableId, answer, body_of
from pontoon.server.api.describe import JSON, ref, route
from pontoon.server.api.learning import ACCEPTED, QUEUE, Preparing
from pontoon.server.api.limits import limited
from pontoon.server.api.problems import good
from pontoon.server.coach.decisions import Decision
from pontoon.server.coach.other_rulebooks import AsIfAll, as_if
from pontoon.server.coach.worker import VALUES
from pontoon.server.house import House
from pontoon.server.problems import ProblemError, problem
from pontoon.server.records import history
from pontoon.server.records.history import REPLAYING
from pontoon.server.sharing import links
from pontoon.server.sharing.hands import Shared, SharedHand, SharedProof, proof_of, shared
from pontoon.server.sharing.links import Link
from pontoon.trainer.values import Solved, rules_of, solve
from pontoon.trainer.why import why
from pontoon.transcript import TranscriptError
from pontoon.view.clauses import decision_clauses
from pontoon.view.hand_picture import Picture, Shown, as_png, as_svg, hand_picture

router = APIRouter(prefix="/api", dependencies=[limited("hands")])

LinkId = Annotated[str, Path(pattern=r"^[2-9a-z]{16}$", description="the name of a link")]
MOST_CACHED = 64
NEARLY = 0.0005
"""First wagers: choices this close are equally good."""
PNG, SVG = "image/png", "image/svg+xml"
CENTS = 100


class ShareHand(Struct, frozen=True, forbid_unknown_fields=True):
    """Whether your own name is shown with the hand."""

    named: bool = False


class SharedLink(Struct, frozen=True):
    """The link of a round."""

    id: str
    link: str
    """The address of its page, after the name of this server."""
    embed: str
    """The address for a frame."""
    named: bool


class VerdictChoice(Struct, frozen=True):
    """A choice and what it was worth on average."""

    action: str
    cents: float


class Verdict(Struct, frozen=True):
    """The coach's verdict on a decision, with the cards of this round that were seen then."""

    player: str
    box: int
    hand: tuple[Card, ...]
    dealer: Card
    chosen: str
    best: str
    cost: float
    """Cents that the choice costs on average; 0 for the best play."""
    choices: tuple[VerdictChoice, ...]
    why: str
    clauses: tuple[str, ...]
    position: str
    """The decision as a position for the trainer; empty if it cannot be one."""


class Verdicts(Struct, frozen=True):
    """The verdicts on every decision of a shared hand, in order; null where the decision has no values."""

    status: str
    verdicts: tuple[Verdict | None, ...]


# --- sharing -------------------------------------------------------------------------------------------


def _described(link: Link) -> SharedLink:
    return SharedLink(link.id, f"/hand/{link.id}", f"/embed/{link.id}", link.named)


@router.post(
    "/rounds/{table}/{number}/share",
    **route(takes=ShareHand, gives=SharedLink, signed="must", no=(403, 404, 409, 413, 429, 503)),
)
async def share_round(
    house: HouseHere, caller: Signed, table: TableId, number: Number, wanted: Annotated[ShareHand, body_of(ShareHand)]
) -> Response:
    """Share a finished round that you played in; without names unless you show your own."""
    row = good(await history.find_round(house, table, number))
    return answer(_described(good(await links.share(house, row, caller.account.name, named=wanted.named))))


@router.delete("/rounds/{table}/{number}/share", **route(status=204, signed="must", no=(403, 404, 429, 503)))
async def unshare_round(house: HouseHere, caller: Signed, table: TableId, number: Number) -> Response:
    """Revoke the link of a round that you played in, even if someone else shared it."""
    row = good(await history.find_round(house, table, number))
    no = await links.revoke(house, row, caller.account.name)
    if no is not None:
        raise ProblemError(no)
    return Response(status_code=204)


# --- what a link shows ---------------------------------------------------------------------------------


class _Cache(OrderedDict[Link, Shared]):
    """Recently shared hands."""


def _cache(request: Request) -> _Cache:
    state = request.app.state
    if not hasattr(state, "shared_hands"):
        state.shared_hands = _Cache()
    found: _Cache = state.shared_hands
    return found


async def hand_of(request: Request, house: House, name: str) -> Shared:
    """The hand of a link; raises the problem if there is none."""
    link = good(await links.find(house, name))
    cache = _cache(request)
    if link not in cache:
        row = good(await history.find_round(house, link.table, link.number))
        if row.void:
            raise ProblemError(problem("not_replayable", detail="the round was made void"))
        past = await history.past_round(house, row)
        bets = (event for event in past.events if isinstance(event, WagerPlaced))
        stakes = [bet.stake for bet in bets if bet.player == link.by]
        bet = f"{_money(stakes[0])} bet, " if stakes else ""
        line = f"{past.table.rules.about.place}, {bet}{past.table.packs} packs"
        cache[link] = await REPLAYING.do(lambda: shared(link, past, line))
        if len(cache) > MOST_CACHED:
            cache.popitem(last=False)
    return cache[link]


def _money(amount: int) -> str:
    return f"${amount // CENTS:,}" if not amount % CENTS else f"${dollars(amount)}"


@router.get("/hands/{link}", **route(gives=SharedHand, no=(404, 409, 410, 429)))
async def shared_hand(request: Request, house: HouseHere, link: LinkId) -> Response:
    """A shared hand, step by step."""
    return answer((await hand_of(request, house, link)).hand)


def _may_prepare() -> dict[str, Any]:
    described = route(gives=Verdicts, no=(404, 409, 410, 429, 503))
    described["responses"][ACCEPTED] = {
        "description": "The calculation is still running",
        "content": {JSON: {"schema": ref(Preparing)}},
    }
    return described


@router.get("/hands/{link}/verdicts", **_may_prepare())
async def verdicts(request: Request, house: HouseHere, link: LinkId) -> Response:
    """The coach's verdict on each decision of a shared hand."""
    found = await hand_of(request, house, link)
    made: list[Verdict | None] = []
    for decision, position in zip(found.decisions, found.positions, strict=True):
        solved: Solved | None = await VALUES.ask(solve, decision.question)
        reason = await VALUES.ask(why, decision.question)
        if solved is None or reason is None:
            return answer(Preparing(), ACCEPTED)
        made.append(_verdict(decision, solved, reason, position) if solved.values else None)
    return answer(Verdicts("ready", tuple(made)))


def _verdict(decision: Decision, solved: Solved, reason: str, position: str) -> Verdict:
    asked, best = decision.question, solved.values[0]
    chosen = next((worth for worth in solved.values if worth.action == decision.chosen), best)
    cost = best.value - chosen.value
    return Verdict(
        decision.player,
        decision.box,
        asked.hand,
        asked.dealer,
        decision.chosen,
        best.action,
        cost * decision.stake if cost >= NEARLY else 0.0,
        tuple(VerdictChoice(worth.action, worth.value * decision.stake) for worth in solved.values),
        reason,
        decision_clauses(rules_of(asked.game), decision.chosen, after_split=asked.split),
        position,
    )


@router.get("/hands/{link}/as-if", **route(gives=AsIfAll, no=(404, 409, 410, 429)))
async def hand_as_if(request: Request, house: HouseHere, link: LinkId) -> Response:
    """The same cards and decisions under each rulebook; after a card was burned unseen, when the shoe is over."""
    found = await hand_of(request, house, link)
    opened = good(await links.find(house, link))
    row = good(await history.find_round(house, opened.table, opened.number))
    good(await history.transcript(house, row, None))  # refused while it would show a card that nobody saw
    try:
        return answer(await QUEUE.do(lambda: as_if(found.transcript)))
    except TranscriptError as error:
        raise ProblemError(problem("not_replayable", detail=str(error))) from None


@router.get("/hands/{link}/proof", **route(gives=SharedProof, no=(404, 409, 410, 429)))
async def hand_proof(request: Request, house: HouseHere, link: LinkId) -> Response:
    """The cards of a shared hand against the root that was published before they were dealt."""
    found = await hand_of(request, house, link)
    opened = good(await links.find(house, link))
    record = await history.shoe_of(house, good(await history.find_round(house, opened.table, opened.number)))
    return answer(proof_of(record, found.drawn) if record is not None else SharedProof())


# --- pictures ------------------------------------------------------------------------------------------


def picture_of(hand: SharedHand) -> Picture:
    """A shared hand as a picture."""
    amount = _money(abs(hand.net))
    result = f"Won {amount}" if hand.net > 0 else f"Lost {amount}" if hand.net < 0 else "Tie"
    return hand_picture(Shown(hand.title, hand.line, result, hand.cards, hand.dealer))


@router.get("/hands/{link}/picture.svg", **route(gives=SVG, no=(404, 409, 410, 429)))
async def picture_svg(request: Request, house: HouseHere, link: LinkId) -> Response:
    """A shared hand as a picture."""
    found = await hand_of(request, house, link)
    return Response(as_svg(picture_of(found.hand)), 200, {"Cache-Control": "no-cache"}, SVG)


@router.get("/hands/{link}/picture.png", **route(gives=PNG, no=(404, 409, 410, 429)))
async def picture_png(request: Request, house: HouseHere, link: LinkId) -> Response:
    """A shared hand as a picture for previews of its link."""
    found = await hand_of(request, house, link)
    drawn = await QUEUE.do(lambda: as_png(picture_of(found.hand)))
    return Response(drawn, 200, {"Cache-Control": "no-cache"}, PNG)
