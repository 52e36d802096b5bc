"""A rulebook in plain words: the sentence of every value with its clauses, in the order of play."""

from __future__ import annotations

from msgspec import Struct

from pontoon.money import Cents, Odds, dollars
from pontoon.rulebook.canonical import digest
from pontoon.rulebook.overrides import ODDS
from pontoon.rulebook.schema import CITES, SECTIONS, Clauses, Rulebook, Says, Section, SideBet
from pontoon.rulebook.side_bets import CITE_FIELDS, VALUE_FIELDS
from pontoon.rulebook.values import field, fields, plain, show

HEADINGS = {
    "decks": "Packs in the shoe",
    "boxes": "Boxes",
    "wagers": "Wagers",
    "side": "Side wagers",
    "deal": "The deal",
    "payout": "The payout table",
    "insurance": "Insurance",
    "surrender": "Surrender",
    "draw": "Drawing cards",
    "double": "Doubling",
    "split": "Splitting",
    "dealer": "The dealer's hand",
    "settle": "The final settlement",
    "super_bonus": "Super Bonus",
    "shoe": "The shoe",
    "cut": "The cut",
    "people": "People",
    "closing": "Closing",
    "irregular": "When something goes wrong",
    "cites": "Always so",
    "table": "Around the rounds",
}


class Sentence(Struct, frozen=True):
    """One value of a rulebook as a sentence with its clauses."""

    key: str
    value: object
    """The value as written in a file; None for a sentence that only cites a clause."""
    text: str
    clauses: Clauses
    note: str
    was: str
    """The document's value, if the operator overrode it."""
    applies: bool
    """False if it concerns something not offered, such as the odds of a side wager that cannot be made."""


class Chapter(Struct, frozen=True):
    """A section of the rulebook, in words."""

    section: str
    heading: str
    sentences: tuple[Sentence, ...]


class Summary(Struct, frozen=True):
    """A rulebook in one row: the rules players ask about first."""

    name: str
    title: str
    place: str
    nature: str
    packs: tuple[int, ...]
    max_hands: int
    double_on: str
    pontoon_collects: str
    super_bonus: str
    digest: str


def explain(book: Rulebook) -> tuple[Chapter, ...]:
    """The whole rulebook in words.

    >>> from pontoon.rulebook import load
    >>> explain(load("canberra"))[0].sentences[0].text
    'The game may be dealt from 3, 4, 5, 6, 7 or 8 packs of 48 cards.'
    """
    was = {
        override.key: override.was for override in reversed(book.overrides)
    }  # overridden twice: the first `was` counts
    idle = _idle(book)

    def sentence(key: str, says: Says, value: object, kind: object, title: str = "") -> Sentence:
        source = book.sources[key]
        return Sentence(
            key=key,
            value=plain(value, kind),
            text=filled(says, plain(value, kind), _said(value, kind), title),
            clauses=source.clauses,
            note=source.note,
            was=was.get(key, ""),
            applies=key not in idle,
        )

    def values(name: str, section: Section) -> tuple[Sentence, ...]:
        named = fields(type(section)).items()
        return tuple(sentence(f"{name}.{key}", says, getattr(section, key), kind) for key, (says, kind) in named)

    def bet_values(bet: SideBet) -> tuple[Sentence, ...]:
        key, rows = f"side.{bet.name}", bet.pays
        chosen = ((f"{key}.{name}", *field(SideBet, name), getattr(bet, name), bet.title) for name in VALUE_FIELDS)
        paid = ((f"{key}.pays.{row.name}", ODDS, Odds, row.odds, f"{bet.title}: {row.title}") for row in rows)
        cited = ((f"{key}.{name}", field(SideBet, name)[0], None, None, bet.title) for name in CITE_FIELDS)
        return tuple(
            sentence(one, says, value, kind, title) for one, says, kind, value, title in (*chosen, *paid, *cited)
        )

    chapters = [Chapter(name, HEADINGS[name], values(name, getattr(book, name))) for name in SECTIONS]
    side = Chapter("side", HEADINGS["side"], tuple(value for bet in book.side for value in bet_values(bet)))
    chapters.insert(list(SECTIONS).index("wagers") + 1, side)
    always = [
        Chapter(
            name,
            HEADINGS[name],
            tuple(sentence(f"{name}.{key}", says, None, None) for key, (says, _) in fields(kind).items()),
        )
        for name, kind in CITES.items()
    ]
    return (*chapters, *always)


def _said(value: object, kind: object) -> str:
    """A value within a sentence: as `show`, with money as people write it ("5,000", "12.50")."""
    if kind is Cents and isinstance(value, int):
        return f"{value // 100:,}.{value % 100:02d}".removesuffix(".00")
    return show(value, kind)


def filled(says: Says, value: object, shown: str, title: str = "") -> str:
    """The sentence for a value; `{title}` is the name of a side bet, `(s)` the ending of more than one.

    >>> filled(Says("{} packs."), [6, 7, 8], "6, 7, 8"), filled(Says("In this order: {}."), ["a_b", "c"], "a_b, c")
    ('6, 7 or 8 packs.', 'In this order: a b, c.')
    >>> filled(Says("{} pack(s) in."), 1, "1"), filled(Says("{} pack(s) in."), 2, "2")
    ('1 pack in.', '2 packs in.')
    """
    if not isinstance(says.text, str):
        return says.text[shown].replace("{title}", title)
    if says.no and shown in {"no", "0", "0.00", "none"}:
        return says.no.replace("{title}", title)
    if isinstance(value, list):
        shown = shown.replace("_", " ")
        if not says.text.endswith(": {}."):  # after a colon a plain list, otherwise a choice
            shown = " or ".join(shown.rsplit(", ", 1))
    ending = "" if shown == "1" else "s"
    return says.text.replace("{title}", title).replace("{}", shown).replace("(s)", ending)


def _idle(book: Rulebook) -> set[str]:
    """Keys about something the rulebook does not offer."""
    double = book.double
    rows = (
        (
            book.surrender.first_cards,
            (
                "surrender.mode surrender.co_bettor_alone surrender.timing cites.surrender_offered cites.surrendered "
                "cites.surrender_paid_hand cites.surrender_deadline cites.surrender_collected cites.surrender_void"
            ),
        ),
        (not double.hard_only, "double.soft_as_hard"),
        (double.fixed_aces != "none", "double.fixed_aces_for"),
        (
            book.split.max_hands > 1,
            (
                "split.by split.decline_locks split.co_bettor cites.split_bust cites.double_split "
                "cites.split cites.split_order cites.split_covered cites.split_alone cites.split_aces_once "
                "cites.split_aces_one_card cites.split_21 cites.relief_split"
            ),
        ),
        (book.split.max_hands > 2, "cites.resplit"),  # the first split makes two hands
        (
            book.dealer.pontoon_collects != "all",
            "cites.relief_double cites.relief_split cites.relief_won",
        ),
        (
            book.super_bonus.offered,
            (
                "double.non_doubler_super_bonus super_bonus.lower super_bonus.upper super_bonus.upper_from "
                "super_bonus.least_wager super_bonus.split_excludes super_bonus.other_bonus super_bonus.other_unit "
                "super_bonus.other_excluded "
                "cites.super_bonus cites.other_bonus"
            ),
        ),
        (book.super_bonus.other_bonus, "super_bonus.other_unit super_bonus.other_excluded cites.other_bonus"),
    )
    idle = {key for offered, keys in rows if not offered for key in keys.split()}
    return idle | _silent(book) | {key for bet in book.side if not bet.offered for key in _keys_of(bet)}


def _silent(book: Rulebook) -> set[str]:
    """Values on which the document is silent, and sentences that have neither a value nor a clause."""
    always = {key for key in book.sources if key.partition(".")[0] in CITES or key.rpartition(".")[2] in CITE_FIELDS}
    uncited = {key for key in always if not book.sources[key].clauses}
    return uncited | {key for key, source in book.sources.items() if source.silent}


def _keys_of(bet: SideBet) -> set[str]:
    """Every key of a side bet except the one that says it is not offered."""
    names = {*VALUE_FIELDS, *CITE_FIELDS, *(f"pays.{row.name}" for row in bet.pays)} - {"offered"}
    return {f"side.{bet.name}.{name}" for name in names}


def citing(book: Rulebook, number: str) -> tuple[Sentence, ...]:
    """Every sentence that cites a clause.

    >>> from pontoon.rulebook import load
    >>> [sentence.key for sentence in citing(load("star"), "STAR-SPLIT-6")]
    ['cites.split_21']
    """
    return tuple(sentence for chapter in explain(book) for sentence in chapter.sentences if number in sentence.clauses)


def summary(book: Rulebook) -> Summary:
    """A rulebook in one row.

    >>> from pontoon.rulebook import load
    >>> row = summary(load("adelaide"))
    >>> row.double_on, row.pontoon_collects, row.super_bonus
    ('two cards, hard 9-11', 'all', 'none')
    """
    double, bonus = book.double, book.super_bonus
    cards = "two cards" if double.two_cards_only else "any cards"
    hard = "hard " if double.hard_only else ""
    prizes = f"${_short(bonus.lower)}, ${_short(bonus.upper)} from ${_short(bonus.upper_from)}"
    return Summary(
        name=book.about.name,
        title=book.about.title,
        place=book.about.place,
        nature=book.about.nature,
        packs=book.decks.allowed,
        max_hands=book.split.max_hands,
        double_on=f"{cards}, {hard}{double.lowest_total}-{double.highest_total}",
        pontoon_collects=book.dealer.pontoon_collects,
        super_bonus=prizes if bonus.offered else "none",
        digest=digest(book),
    )


def _short(amount: int) -> str:
    """An amount for a narrow column."""
    return dollars(amount).removesuffix(".00")
