"""The printed conditions for patrons and the commission (20.2, 20.3).

This makes no decisions. Every value has its own sentence; the order is that of rule 20.3.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from pontoon.tournament import paper
from pontoon.tournament.conditions import RULEBOOK, Conditions, Session
from pontoon.tournament.load import digest
from pontoon.tournament.numbers import numbers, tables_of
from pontoon.tournament.paper import Grid, Paper, Paragraph, Section
from pontoon.tournament.prizes import split
from pontoon.tournament.sentences import counted, money, ordinal, percent, say

STANDARD = (
    "The Tournament Director, or an Assistant, conducts the tournament by these conditions and by the rules of the "
    "game that apply. Should the two be inconsistent, the rules prevail."
)

CONDUCT = (
    ("20.1", "The rules of Pontoon apply; where the rules for tournaments differ from them, those go first."),
    ("20.4", "The Gaming Shift Manager nominates the Tournament Director or Assistant, here called the director."),
    ("20.6", "A player may enter once. To buy back, where these conditions allow it, is not another entry."),
    (
        "20.7",
        "Before each session the director gives every player a table and a seat by ballot, to be kept until its end.",
    ),
    ("20.7", "The director may start a session at another time, and gives reasonable notice of it."),
    ("20.8", "The director says how many players sit at each table."),
    ("20.9", "A player who is not in the seat when the session starts has lost it; the fee stays in the prize pool."),
    ("20.11", "A substitute may play on for a player only if the director agrees."),
    ("20.12", "Tournament chips stay in full view of the players and the director."),
    ("20.13", "Nobody may remove, add, exchange or reduce tournament chips but as the rules say; they are not money."),
    ("20.14", "In every round each player wagers at least the table minimum; a player who cannot is out."),
    ("20.15", "Players may not ask other players, or anybody who is not playing, for advice."),
    ("20.16", "The director may call a break, and says how long it is."),
    ("20.18", "The director works out the places and awards them."),
    ("20.21", "Entry fees and commission are not refunded to a player who withdraws."),
    (
        "20.21",
        "The casino may cancel the tournament without liability, and then refunds all fees and commissions in full.",
    ),
)
"""What rule 20 says regardless of the conditions, for readers who do not know it."""


# --- the sections, in the order of 20.3 -------------------------------------------------------------------


def document(conditions: Conditions) -> Paper:
    """The whole document."""
    sections = (
        Section("About this paper", tuple(_about())),
        Section("Start and entry", tuple(_start(conditions))),
        Section("How the tournament is built", tuple(_structure(conditions))),
        *(_session(conditions, index) for index in range(len(conditions.sessions))),
        Section("How many play", (_numbers(conditions),), 2),
        Section("Second chances", tuple(_second_chances(conditions)), 2),
        Section("Entry fee and commission", (say(conditions.money, "fee"), say(conditions.money, "commission"))),
        Section("Tournament chips", tuple(_chips(conditions))),
        Section("Number of players", tuple(say(conditions.players, name) for name in ("least", "most", "reserves"))),
        Section("Groups of players", tuple(_groups(conditions))),
        Section("Table limits and cards", tuple(_game(conditions))),
        Section("Elimination and equal chips", tuple(_elimination(conditions))),
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
    yield Paragraph("These are the conditions of the tournament, written down before any entry is taken.", "20.2(a)")
    yield Paragraph("Patrons can have this paper before they enter.", "20.2(b)")
    yield Paragraph("The ACT Gambling and Racing Commission is notified and receives a copy of it.", "20.2(c)")


def _start(conditions: Conditions) -> Iterator[Paragraph]:
    for name in ("at", "entry", "eligibility", "agreement"):
        yield say(conditions.start, name)


def _structure(conditions: Conditions) -> Iterator[Paragraph]:
    structure, number = conditions.structure, len(conditions.sessions)
    yield Paragraph(f"The tournament has {counted(number, 'session/sessions')}.", "20.3(a)(ii)(A)")
    if structure.format == "knock_out" and number > 1:
        but = ", but for a repechage that comes next" if _repechages(conditions) else ""
        words = f"When only one player is left, the sessions still to come are not played{but}."
        yield Paragraph(words, "20.3(a)(ii)(A)")
        yield Paragraph("A table where nobody is left, or one at the only table, ends at once.", "20.3(a)(ii)(A)")
    yield say(structure, "sit_and_go")
    yield say(conditions.players, "at_table")
    if number > 1:
        yield say(structure, "format")
    else:
        yield Paragraph("Players compete against each other in this one session.", "20.3(a)(ii)(D)")
    yield say(structure, "other_games")
    if not any(session.prizes for session in conditions.sessions):
        yield Paragraph("Prizes are awarded at the end of the tournament, none for a session alone.", "20.3(a)(ii)(D)")


def _session(conditions: Conditions, index: int) -> Section:
    session = conditions.sessions[index]
    said = [name for name in ("rounds", "shoes", "minutes") if getattr(session, name)]
    parts = [say(session, name) for name in said]
    parts.append(say(session, "after") if index else Paragraph("It starts as is said above.", "20.3(a)(ii)(A)"))
    if session.kind == "repechage":
        parts += [say(session, "kind"), say(session, "qualifies")]
    parts.append(say(session, "tables"))
    parts += _going_on(conditions, index)
    if conditions.structure.format == "points":
        parts.append(say(session, "points"))
    if any(one.prizes for one in conditions.sessions):
        parts.append(say(session, "prizes"))
    return Section(f"Session {index + 1}: {session.name}", tuple(parts), 2)


def _going_on(conditions: Conditions, index: int) -> Iterator[Paragraph]:
    session, clause = conditions.sessions[index], "20.3(a)(ii)(C)"
    following = next((one for one in conditions.sessions[index + 1 :] if one.kind == "session"), None)
    if session.advance:
        for name in ("from_table", "best_of_rest", "of_all"):
            if getattr(session.advance, name):
                yield say(session.advance, name)
        by_points = session.advance.of_all and conditions.structure.format == "points"
        best = "the most points so far" if by_points else "the most tournament chips at its end"
        yield Paragraph(f"The best are those who have {best}.", clause)
    if following is None:
        yield Paragraph("It is the last session.", clause)
    elif session.advance:
        yield Paragraph(f"They play next in: {following.name}.", clause)
    else:
        yield Paragraph(f"All who are not eliminated play next in: {following.name}.", clause)


def entrants(conditions: Conditions) -> tuple[int, ...]:
    """The numbers of players used in examples: the minimum, one in between, the maximum."""
    least, most = conditions.players.least, conditions.players.most
    return tuple(sorted({least, (least + most) // 2, most}))


def _numbers(conditions: Conditions) -> Grid:
    """A table with a row per session and a column per number of entrants."""
    head = (
        "If all are there and nobody buys back",
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
            f"{session.name} is a repechage, offered without another fee to every player who is eliminated in "
            f"{session.qualifies} and has not bought back; each begins it with fresh tournament chips."
        )
        yield Paragraph(words, "20.3(a)(ii)(E)")
    buying = conditions.buy_back
    yield say(buying, "times")
    if buying.times:
        moment = "during" if buying.when == "at_once" else "after"
        yield say(buying, "when")
        if buying.when == "at_once":
            words = "After a buy-back the table plays at least one more round; after its last round there is none."
            yield Paragraph(words, "20.3(a)(ii)(F)")
        yield Paragraph(f"The last chance is {moment} the session {buying.until}.", "20.3(a)(ii)(F)")
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
    yield Paragraph("A player who cannot make the least wager before a round is eliminated.", f"{clause}(A)")
    yield Paragraph(_last_round(conditions), f"{clause}(A)")
    if any(session.advance for session in conditions.sessions):
        yield Paragraph("A player who does not go on from a session is eliminated.", f"{clause}(A)")
    if conditions.structure.elimination:
        yield Paragraph(say(conditions.structure, "elimination").words, f"{clause}(A)")
        yield Paragraph("Who is eliminated so keeps place and points, and may come back as others may.", f"{clause}(A)")
    yield say(conditions.structure, "absent")
    yield say(conditions.ties, "eliminated_together")
    if conditions.structure.absent == "eliminated" or conditions.structure.elimination:
        yield Paragraph("Who is out between two rounds stands before those whom the first of them put out.", "20.18")
    if any(session.advance for session in conditions.sessions):
        yield Paragraph(say(conditions.ties, "session").words, f"{clause}(B)")
    if points:
        yield say(conditions.ties, "points")
    elif len(conditions.sessions) == 1:
        yield Paragraph("Equal chips at its end are treated as is said of the prizes below.", f"{clause}(B)")


def _last_round(conditions: Conditions) -> str:
    words = "No round follows the last one of a session: a player it leaves with too little is placed by the chips held"
    if not conditions.money.carried or len(conditions.sessions) == 1:
        return f"{words}."
    return f"{words}, and is eliminated when the next session starts with chips that are too few."


def _pool(conditions: Conditions) -> Iterator[Paragraph]:
    money_part, buying = conditions.money, conditions.buy_back
    each = money_part.fee - money_part.commission
    yield Paragraph(
        f"The prize pool is {money(each)} of each entry fee, also of players who lose their seats, and what is added.",
        "20.3(a)(x)",
    )
    if buying.times:
        words = f"Of each buy-back {money(buying.fee - buying.commission)} goes into the prize pool too."
        yield Paragraph(words, "20.3(a)(x)")
    yield say(money_part, "added")
    yield say(conditions.prizes, "shares")
    for session in conditions.sessions:
        if session.prizes:
            words = f"The session {session.name} receives, from the first place: {_shares(session.prizes)}."
            yield Paragraph(words, "20.3(a)(x)")
    if any(session.prizes for session in conditions.sessions):
        words = "Players who share a place in a session put its prizes for them together and divide them equally."
        yield Paragraph(words, "20.3(a)(ii)(D)")
    yield Paragraph("The share of a place that nobody takes goes to the other places in proportion.", "20.3(a)(x)")


def _shares(shares: Sequence[Fraction]) -> str:
    return ", ".join(f"{ordinal(place)} {percent(share)}" for place, share in enumerate(shares, start=1))


def _distribution(conditions: Conditions) -> Iterator[Paragraph | Grid]:
    ties = conditions.ties
    yield Paragraph("All of the prize pool is paid to the players as prizes.", "20.19")
    yield say(conditions.prizes, "odd_cents")
    if conditions.structure.format == "points":
        first, basis = "Places go by the points of all sessions together; who is eliminated keeps points won.", "(B)"
        equal = "Players who have the same total of points and contest the same prizes:"
    else:
        first, basis = (
            "Places go by the chips held at the end of the last session, then by how far players came.",
            "(A)",
        )
        equal = "Players who hold equal chips at its end and contest the same prizes:"
    yield Paragraph(first, "20.3(a)(xi)")
    if conditions.structure.format == "knock_out" and _repechages(conditions):
        words = "To lose in a repechage is to come a little further than the session it follows from, and no more."
        yield Paragraph(words, "20.3(a)(xi)")
    if conditions.structure.other_games:
        yield Paragraph("Points of the other games are added, as the director records them.", "20.3(a)(ii)(D)")
    decided = "(C)" if ties.final == "divide" else "(D)"
    yield Paragraph(f"{equal} {say(ties, 'final').words}", f"20.3(a)(xi){basis}, {decided}")
    if "extra_rounds" in _ways(conditions):
        yield say(ties, "rounds")
        yield say(ties, "most")
        words = (
            "Players who are out play no extra rounds: where one of equal players is out, what all of them contest is "
            "combined and divided equally."
        )
        yield Paragraph(words, "20.3(a)(xi)(C)")
    yield Paragraph("A player who lost the seat, or was ruled out by the director, holds no place.", "20.18")
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
    lists += zip((one.prizes for one in conditions.sessions), numbers(conditions, players), strict=True)
    taken = [place < number for shares, number in lists for place, _ in enumerate(shares)]
    every = [share for shares, _ in lists for share in shares]
    own = sum(taken[: len(conditions.prizes.shares)])
    won = [share for share, one in zip(every, taken, strict=True) if one]
    amounts = iter(split(pool, won, conditions.prizes.odd_cents, own - 1))
    return [money(pool), *(money(next(amounts)) if one else "-" for one in taken)]


def _conduct(conditions: Conditions) -> Iterator[Paragraph]:
    yield from (Paragraph(words, clause) for clause, words in CONDUCT)
    yield say(conditions.structure, "pace")


def _statement(conditions: Conditions) -> str:
    return STANDARD if conditions.statement == "standard" else conditions.statement
