"""The printed conditions for patrons and the commission (20.2, 20.3).

This makes no decisions. Every value has its own sentence; the order is that of rule 20.3.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from pontoon.quoting import counted
from pontoon.tournament.conditions import paper
from pontoon.tournament.conditions.load import digest
from pontoon.tournament.conditions.numbers import numbers, tables_of
from pontoon.tournament.conditions.paper import Grid, Paper, Paragraph, Section
from pontoon.tournament.conditions.sentences import money, ordinal, percent, say
from pontoon.tournament.conditions.values import RULEBOOK, Conditions, Session
from pontoon.tournament.prizes import split

STANDARD = (
    "The Tournament Director, or an Assistant, conducts the tournament under these conditions and the rules of the "
    "game. If the two are inconsistent, the rules prevail."
)

CONDUCT = (
    (
        "20.1",
        "The rules of Pontoon apply; where the tournament rules differ, they take precedence.",
    ),
    ("20.4", "The Gaming Shift Manager nominates the Tournament Director or Assistant, here called the director."),
    ("20.6", "A player may enter once. A buy-back, where these conditions allow it, does not count as another entry."),
    (
        "20.7",
        "Before each session every player is given a table and a seat by ballot, to be kept until the session ends.",
    ),
    ("20.7", "The director may reschedule a session, with reasonable notice."),
    ("20.8", "The director decides how many players sit at each table."),
    ("20.9", "A player who is not seated when the session starts forfeits the seat; the fee stays in the prize pool."),
    ("20.11", "A substitute may continue in a player's place only if the director agrees."),
    ("20.12", "Tournament chips stay in full view of the players and the director."),
    (
        "20.13",
        "Tournament chips may be removed, added, exchanged or reduced only under the rules; they have no cash value.",
    ),
    ("20.14", "In every round each player wagers at least the table minimum; a player who cannot is eliminated."),
    ("20.15", "Players may not ask anyone, playing or not, for advice."),
    ("20.16", "The director may call a break and announces its length."),
    ("20.18", "The director determines and awards the places."),
    ("20.21", "Entry fees and commission are not refunded to a player who withdraws."),
    (
        "20.21",
        "The casino may cancel the tournament without liability; it then refunds all fees and commissions in full.",
    ),
)
"""What rule 20 says regardless of the conditions, for readers who do not know it."""


# --- the sections, in the order of 20.3 -------------------------------------------------------------------


def document(conditions: Conditions) -> Paper:
    """The whole document."""
    sections = (
        Section("About this document", tuple(_about())),
        Section("Start and entry", tuple(_start(conditions))),
        Section("Structure of the tournament", tuple(_structure(conditions))),
        *(_session(conditions, index) for index in range(len(conditions.sessions))),
        Section("Players in each session", (_numbers(conditions),), 2),
        Section("Second chances", tuple(_second_chances(conditions)), 2),
        Section("Entry fee and commission", (say(conditions.money, "fee"), say(conditions.money, "commission"))),
        Section("Tournament chips", tuple(_chips(conditions))),
        Section("Number of players", tuple(say(conditions.players, name) for name in ("least", "most", "reserves"))),
        Section("Groups of players", tuple(_groups(conditions))),
        Section("Table limits and cards", tuple(_game(conditions))),
        Section("Elimination and ties", tuple(_elimination(conditions))),
        Section("The prize pool", tuple(_pool(conditions))),
        Section("Distribution of the prize pool", tuple(_distribution(conditions))),
        Section("Conduct of the tournament", tuple(_conduct(conditions))),
        Section("Statement", (Paragraph(_statement(conditions), "20.3(b)"),)),
    )
    return Paper(
        f"{conditions.name}: tournament conditions", sections, f"Digest of these conditions: {digest(conditions)}"
    )


def lines(conditions: Conditions, width: int = paper.WIDTH) -> list[str]:
    """The document as plain text."""
    return paper.lines(document(conditions), width)


def markdown(conditions: Conditions) -> str:
    """The document as Markdown."""
    return paper.markdown(document(conditions))


def page(conditions: Conditions) -> str:
    """The document as one HTML page."""
    return paper.page(document(conditions))


def _about() -> Iterator[Paragraph]:
    yield Paragraph("These are the conditions of the tournament, in writing before any entry is accepted.", "20.2(a)")
    yield Paragraph("This document is available to patrons before they enter.", "20.2(b)")
    yield Paragraph("The ACT Gambling and Racing Commission is notified and receives a copy.", "20.2(c)")


def _start(conditions: Conditions) -> Iterator[Paragraph]:
    for name in ("at", "entry", "eligibility", "agreement"):
        yield say(conditions.start, name)


def _structure(conditions: Conditions) -> Iterator[Paragraph]:
    structure, number = conditions.structure, len(conditions.sessions)
    yield Paragraph(f"The tournament has {counted(number, 'session/sessions')}.", "20.3(a)(ii)(A)")
    if structure.format == "knock_out" and number > 1:
        but = ", except for a repechage that comes next" if _repechages(conditions) else ""
        words = f"When only one player is left, the remaining sessions are not played{but}."
        yield Paragraph(words, "20.3(a)(ii)(A)")
        yield Paragraph(
            "A table with no players left ends at once, and so does the only table with one player left.",
            "20.3(a)(ii)(A)",
        )
    yield say(structure, "sit_and_go")
    yield say(conditions.players, "at_table")
    if number > 1:
        yield say(structure, "format")
    else:
        yield Paragraph("Players compete against each other in this one session.", "20.3(a)(ii)(D)")
    yield say(structure, "other_games")
    if not any(session.prizes for session in conditions.sessions):
        yield Paragraph(
            "Prizes are awarded at the end of the tournament, not for individual sessions.", "20.3(a)(ii)(D)"
        )


def _session(conditions: Conditions, index: int) -> Section:
    session = conditions.sessions[index]
    said = [name for name in ("rounds", "shoes", "minutes") if getattr(session, name)]
    parts = [say(session, name) for name in said]
    parts.append(say(session, "after") if index else Paragraph("It starts as stated above.", "20.3(a)(ii)(A)"))
    if session.kind == "repechage":
        parts += [say(session, "kind"), say(session, "qualifies")]
    parts.append(say(session, "tables"))
    parts += _going_on(conditions, index)
    if conditions.structure.format == "points":
        parts.append(say(session, "points"))
    if any(session.prizes for session in conditions.sessions):
        parts.append(say(session, "prizes"))
    return Section(f"Session {index + 1}: {session.name}", tuple(parts), 2)


def _going_on(conditions: Conditions, index: int) -> Iterator[Paragraph]:
    session, clause = conditions.sessions[index], "20.3(a)(ii)(C)"
    following = next((session for session in conditions.sessions[index + 1 :] if session.kind == "session"), None)
    if session.advance:
        for name in ("from_table", "best_of_rest", "of_all"):
            if getattr(session.advance, name):
                yield say(session.advance, name)
        by_points = session.advance.of_all and conditions.structure.format == "points"
        best = "the most points so far" if by_points else "the most tournament chips at its end"
        yield Paragraph(f"The best are those with {best}.", clause)
    if following is None:
        yield Paragraph("It is the last session.", clause)
    elif session.advance:
        yield Paragraph(f"They play next in: {following.name}.", clause)
    else:
        yield Paragraph(f"All players not eliminated play next in: {following.name}.", clause)


def entrants(conditions: Conditions) -> tuple[int, ...]:
    """The numbers of players used in examples: the minimum, one in between, the maximum."""
    least, most = conditions.players.least, conditions.players.most
    return tuple(sorted({least, (least + most) // 2, most}))


def _numbers(conditions: Conditions) -> Grid:
    """A table with a row per session and a column per number of entrants."""
    head = (
        "If everyone attends and nobody buys back",
        *(counted(number, "player/players") for number in entrants(conditions)),
    )
    counts = [numbers(conditions, number) for number in entrants(conditions)]
    rows = [
        (session.name, *(_at_tables(conditions, session, count[index]) for count in counts))
        for index, session in enumerate(conditions.sessions)
    ]
    return Grid((head, *rows), "20.3(a)(ii)(B)")


def _at_tables(conditions: Conditions, session: Session, playing: int) -> str:
    tables = tables_of(session, playing, conditions.players.at_table)
    return f"{playing} at {counted(tables, 'table/tables')}"


def _repechages(conditions: Conditions) -> list[Session]:
    return [session for session in conditions.sessions if session.kind == "repechage"]


def _second_chances(conditions: Conditions) -> Iterator[Paragraph]:
    repechages = _repechages(conditions)
    if not repechages:
        yield Paragraph("There is no repechage or catch-up session.", "20.3(a)(ii)(E)")
    for session in repechages:
        words = (
            f"{session.name} is a repechage, open without another fee to every player who is eliminated in "
            f"{session.qualifies} and has not bought back; each starts it with new tournament chips."
        )
        yield Paragraph(words, "20.3(a)(ii)(E)")
    buying = conditions.buy_back
    yield say(buying, "times")
    if buying.times:
        moment = "during" if buying.when == "at_once" else "after"
        yield say(buying, "when")
        if buying.when == "at_once":
            words = (
                "After a buy-back the table plays at least one more round; there are no buy-backs after its last round."
            )
            yield Paragraph(words, "20.3(a)(ii)(F)")
        yield Paragraph(f"The last chance is {moment} session {buying.until}.", "20.3(a)(ii)(F)")
        for name in ("method", "fee", "commission", "chips"):
            yield say(buying, name)


def _chips(conditions: Conditions) -> Iterator[Paragraph]:
    yield say(conditions.money, "chips")
    if len(conditions.sessions) > 1:
        yield say(conditions.money, "carried")


def _groups(conditions: Conditions) -> Iterator[Paragraph]:
    players = conditions.players
    yield say(players, "groups")
    if players.groups:
        yield say(players, "group_at_table")
        yield say(players, "most_of_group")


def _game(conditions: Conditions) -> Iterator[Paragraph]:
    other = ("rulebook",) if conditions.game.rulebook != RULEBOOK else ()
    for name in ("minimum", "maximum", "packs", *other, "super_bonus", "side_wagers"):
        yield say(conditions.game, name)


def _elimination(conditions: Conditions) -> Iterator[Paragraph]:
    points = conditions.structure.format == "points"
    clause = "20.3(a)(ix)" if points else "20.3(a)(viii)"
    yield Paragraph("A player who cannot make the minimum wager before a round is eliminated.", f"{clause}(A)")
    yield Paragraph(_last_round(conditions), f"{clause}(A)")
    if any(session.advance for session in conditions.sessions):
        yield Paragraph("A player who does not advance from a session is eliminated.", f"{clause}(A)")
    if conditions.structure.elimination:
        yield Paragraph(say(conditions.structure, "elimination").words, f"{clause}(A)")
        yield Paragraph(
            "A player eliminated in this way keeps place and points, and may return as others may.", f"{clause}(A)"
        )
    yield say(conditions.structure, "absent")
    yield say(conditions.ties, "eliminated_together")
    if conditions.structure.absent == "eliminated" or conditions.structure.elimination:
        yield Paragraph(
            "A player eliminated between two rounds ranks above those eliminated in the earlier round.", "20.18"
        )
    if any(session.advance for session in conditions.sessions):
        yield Paragraph(say(conditions.ties, "session").words, f"{clause}(B)")
    if points:
        yield say(conditions.ties, "points")
    elif len(conditions.sessions) == 1:
        yield Paragraph("For equal chips at its end, see the prizes below.", f"{clause}(B)")


def _last_round(conditions: Conditions) -> str:
    words = "A player left with too few chips by the last round of a session is ranked by the chips held"
    if not conditions.money.carried or len(conditions.sessions) == 1:
        return f"{words}."
    return f"{words}, and is eliminated when the next session starts if they are still too few."


def _pool(conditions: Conditions) -> Iterator[Paragraph]:
    money_part, buying = conditions.money, conditions.buy_back
    each = money_part.fee - money_part.commission
    yield Paragraph(
        f"The prize pool is {money(each)} of each entry fee, including those of forfeited seats, plus any money added.",
        "20.3(a)(x)",
    )
    if buying.times:
        words = f"{money(buying.fee - buying.commission)} of each buy-back also goes into the prize pool."
        yield Paragraph(words, "20.3(a)(x)")
    yield say(money_part, "added")
    yield say(conditions.prizes, "shares")
    for session in conditions.sessions:
        if session.prizes:
            words = f"Session {session.name} receives, from first place down: {_shares(session.prizes)}."
            yield Paragraph(words, "20.3(a)(x)")
    if any(session.prizes for session in conditions.sessions):
        words = "Players who share a place in a session divide its prizes equally."
        yield Paragraph(words, "20.3(a)(ii)(D)")
        yield say(conditions.prizes, "sessions_paid")
    yield Paragraph("The share of a place that nobody holds goes to the other places in proportion.", "20.3(a)(x)")


def _shares(shares: Sequence[Fraction]) -> str:
    return ", ".join(f"{ordinal(place)} {percent(share)}" for place, share in enumerate(shares, start=1))


def _distribution(conditions: Conditions) -> Iterator[Paragraph | Grid]:
    ties = conditions.ties
    yield Paragraph("The whole prize pool is paid to the players as prizes.", "20.19")
    yield say(conditions.prizes, "odd_cents")
    if conditions.structure.format == "points":
        first, basis = (
            "Places are decided by the total points of all sessions; eliminated players keep their points.",
            "(B)",
        )
        equal = "If players with equal total points contest the same prizes,"
    else:
        first, basis = (
            "Places are decided by the chips held at the end of the last session, then by how far players advanced.",
            "(A)",
        )
        equal = "If players with equal chips at its end contest the same prizes,"
    yield Paragraph(first, "20.3(a)(xi)")
    if conditions.structure.format == "knock_out" and _repechages(conditions):
        words = "Elimination in a repechage ranks just above elimination in the session whose players it is for."
        yield Paragraph(words, "20.3(a)(xi)")
    if conditions.structure.other_games:
        yield Paragraph("Points of the other games are added, as the director records them.", "20.3(a)(ii)(D)")
    decided = "(C)" if ties.final == "divide" else "(D)"
    yield Paragraph(f"{equal} {say(ties, 'final').words}", f"20.3(a)(xi){basis}, {decided}")
    if "extra_rounds" in _ways(conditions):
        yield say(ties, "rounds")
        yield say(ties, "most")
        words = (
            "Eliminated players play no extra rounds: if any of the tied players is eliminated, they share the "
            "contested prizes equally."
        )
        yield Paragraph(words, "20.3(a)(xi)(C)")
    yield Paragraph("A player who forfeited the seat, or was disqualified by the director, holds no place.", "20.18")
    yield _prizes(conditions)


def _ways(conditions: Conditions) -> set[str]:
    """How ties are broken in this tournament, omitting cases that cannot occur."""
    ties = conditions.ties
    asked = (
        (ties.session, any(session.advance for session in conditions.sessions)),
        (ties.points, conditions.structure.format == "points"),
        (ties.final, True),
    )
    return {way for way, applies in asked if applies}


def _prizes(conditions: Conditions) -> Grid:
    """The prizes to the cent for a few numbers of players."""
    columns = [_example(conditions, number) for number in entrants(conditions)]
    head = ("Example", *(counted(number, "player/players") for number in entrants(conditions)))
    labels = ["Prize pool", *(f"{ordinal(place)} place" for place, _ in enumerate(conditions.prizes.shares, start=1))]
    for session in conditions.sessions:
        labels += [f"{session.name}: {ordinal(place)}" for place, _ in enumerate(session.prizes, start=1)]
    rows = tuple((label, *(column[row] for column in columns)) for row, label in enumerate(labels))
    return Grid((head, *rows), "20.3(a)(xi)")


def _example(conditions: Conditions, players: int) -> list[str]:
    """The pool and every prize for this many entries without buy-backs; a dash for places not taken."""
    pool = players * (conditions.money.fee - conditions.money.commission) + conditions.money.added
    lists = [(conditions.prizes.shares, players)]
    lists += zip((session.prizes for session in conditions.sessions), numbers(conditions, players), strict=True)
    taken = [place < number for shares, number in lists for place, _ in enumerate(shares)]
    every = [share for shares, _ in lists for share in shares]
    own = sum(taken[: len(conditions.prizes.shares)])
    won = [share for share, one in zip(every, taken, strict=True) if one]
    amounts = iter(_amounts(conditions, pool, won, own))
    return [money(pool), *(money(next(amounts)) if is_taken else "-" for is_taken in taken)]


def _amounts(conditions: Conditions, pool: int, won: Sequence[Fraction], own: int) -> tuple[int, ...]:
    """The prizes for the shares won, of which the first `own` are the tournament's own."""
    odd_cents = conditions.prizes.odd_cents
    if conditions.prizes.sessions_paid == "tournament":
        return split(pool, won, odd_cents, own - 1)
    early = tuple(int(pool * share) for share in won[own:])
    return (*split(pool - sum(early), won[:own], odd_cents), *early)


def _conduct(conditions: Conditions) -> Iterator[Paragraph]:
    yield from (Paragraph(words, clause) for clause, words in CONDUCT)
    yield say(conditions.structure, "pace")


def _statement(conditions: Conditions) -> str:
    return STANDARD if conditions.statement == "standard" else conditions.statement
