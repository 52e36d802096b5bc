"""The sheets of a tournament to print or to save: seating cards, standings, payouts, agreements, the full record."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from datetime import UTC, datetime
from html import escape
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Response

from pontoon.server.api.dependencies import HouseHere, Speaks
from pontoon.server.api.describe import route
from pontoon.server.api.tournaments import HTML, STYLED, TournamentId, find_tournament, hosting
from pontoon.server.tournaments.heat import STEWARD
from pontoon.server.tournaments.hosted import Hosted
from pontoon.server.tournaments.log import RulingTaken, RulingWaits, read_body, stream_of
from pontoon.store.model import Store, entries_after
from pontoon.tournament.events import TournamentEvent
from pontoon.view.catalogue.formats import money
from pontoon.view.tournaments.events import tournament_words
from pontoon.view.tournaments.parts import TournamentView
from pontoon.view.tournaments.view import public_view

router = APIRouter(prefix="/api")

CSV = "text/csv; charset=utf-8"
Rows = list[tuple[str, ...]]
STYLE = """body{font:12pt/1.4 system-ui,sans-serif;margin:2em;color:#000;background:#fff}
h1{font-size:18pt;margin:0}p{margin:.3em 0 1em}table{border-collapse:collapse;width:100%}
th,td{border-bottom:1px solid #999;padding:.35em .6em;text-align:left}thead{display:table-header-group}
tr{break-inside:avoid}.cards{display:grid;grid-template-columns:1fr 1fr;gap:1em}
.card{border:2px solid #000;border-radius:.6em;padding:1em;break-inside:avoid}.card b{font-size:20pt;display:block}
@media print{body{margin:0}}"""


def _seating(view: TournamentView) -> Rows:
    seated = [player for player in view.players if player.table]
    rows = [(str(player.table), str(player.box), player.name) for player in seated]
    return [("Table", "Box", "Player"), *sorted(rows, key=lambda row: (int(row[0]), int(row[1])))]


def _standings(view: TournamentView) -> Rows:
    rows = [
        (str(row.place), row.player, money(row.chips), row.points, money(row.prize) if row.prize else "")
        for row in view.standings
    ]
    return [("Place", "Player", "Chips", "Points", "Prize"), *rows]


def _payouts(view: TournamentView) -> Rows:
    rows = [
        (str(row.number), row.player, str(row.place), money(row.amount), "paid" if row.paid else "to pay", "")
        for row in view.payments
    ]
    return [("No.", "Player", "Place", "Amount", "State", "Received (signature)"), *rows]


def _agreements(view: TournamentView) -> Rows:
    names = [player.name for player in view.players if player.status != "substituted"]
    return [("Player", "I agree to the rules and the conditions (signature)"), *((name, "") for name in names)]


SHEETS: dict[str, tuple[str, Callable[[TournamentView], Rows]]] = {
    "seating": ("Seating", _seating),
    "standings": ("Standings", _standings),
    "payouts": ("Payout sheet", _payouts),
    "agreements": ("Agreements", _agreements),
}


@router.get(
    "/tournaments/{tournament}/sheets/{sheet}",
    **route(gives=(HTML, "text/csv"), no=(404,)),
)
async def print_sheet(
    house: HouseHere,
    speaks: Speaks,
    tournament: TournamentId,
    sheet: Literal["seating", "standings", "payouts", "agreements", "record"],
    form: Annotated[Literal["html", "csv"], Query(alias="as", description="a page that prints well, or CSV")] = "html",
) -> Response:
    """A sheet of a tournament, to print or to save."""
    found = await find_tournament(house, tournament)
    view = public_view(found.state, hosting(found), speaks)
    if sheet == "record":
        title, rows = "Record", await house.read(lambda: record_rows(house.store, found, speaks))
    else:
        title, make = SHEETS[sheet]
        rows = make(view)
    if form == "csv":
        text = io.StringIO()
        csv.writer(text).writerows(_safe(row) for row in rows)
        headers = {"Content-Disposition": f'attachment; filename="{tournament}-{sheet}.csv"'}
        return Response(text.getvalue(), 200, headers, CSV)
    body = _cards(rows) if sheet == "seating" else _table(rows)
    return Response(_page(view.name, title, view.words, body), 200, STYLED, HTML)


def record_rows(store: Store, found: Hosted, speaks: str) -> Rows:
    """Everything that happened in a tournament, with its clauses; a deferred ruling is by the person who gave it."""
    rows: Rows = [("When (UTC)", "By", "What", "Clauses")]
    rulings: dict[int, str] = {}
    for entry in entries_after(store, stream_of(found.id)):
        when = datetime.fromtimestamp(entry.at / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S")
        by = "server" if entry.by == STEWARD else entry.by
        for event in read_body(entry.body).events:
            match event:
                case RulingWaits():
                    rulings[event.number] = entry.by
                case RulingTaken():
                    by = rulings[event.number]
                case TournamentEvent() if words := tournament_words(event, speaks):
                    rows.append((when, by, words, ", ".join(event.clauses)))
                case _:
                    pass
    return rows


def _safe(row: tuple[str, ...]) -> tuple[str, ...]:
    """A row whose cells no spreadsheet takes for a formula."""
    return tuple(f"'{cell}" if cell[:1] in ("=", "+", "-", "@") else cell for cell in row)


def _table(rows: Rows) -> str:
    head, *rest = rows
    cells = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rest)
    return f"<table><thead><tr>{cells}</tr></thead><tbody>{body}</tbody></table>"


def _cards(rows: Rows) -> str:
    """A card for every seat, to cut out."""
    cards = (f'<div class="card"><b>{escape(name)}</b>Table {table}, box {box}</div>' for table, box, name in rows[1:])
    return f'<div class="cards">{"".join(cards)}</div>'


def _page(name: str, title: str, words: str, body: str) -> str:
    head = f"<h1>{escape(name)}</h1><p>{escape(title)}, {escape(words)}</p>"
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(f"{title}: {name}")}</title>'
        f"<style>{STYLE}</style><body>{head}{body}</body></html>"
    )
