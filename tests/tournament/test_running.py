"""Whole tournaments with bots, in one process: they end, pay the pool, and continue from any step to the same end."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from pontoon.engine import events as played
from pontoon.money import Cents
from pontoon.tournament import commands as c
from pontoon.tournament import events as e
from pontoon.tournament import evolve
from pontoon.tournament.ballot import check_ballot
from pontoon.tournament.bots import Bot, BotsError, Field, Moment, Players, read_bots, wager_of
from pontoon.tournament.conditions.load import read
from pontoon.tournament.conditions.values import Advance, Session
from pontoon.tournament.money import postings
from pontoon.tournament.running import Plan, Step, next_step, read_logged, run, write_logged
from pontoon.tournament.state import Tournament, begin
from tests.tournament.chance import playable
from tests.tournament.desk import conditions

HERE = Path(__file__).parent
EXAMPLES = Path(__file__).parents[2] / "examples/tournaments"
SMALL = (HERE / "small.toml").read_text()
WILD = (
    'no_shows = "10%"\nbuy_backs = "70%"\n[[bots]]\nwagers = "random"\n'
    '[[bots]]\nwagers = "chase"\n[[bots]]\nwagers = "share"\npart = "20%"'
)


def plan(text: str = SMALL, bots: str = WILD, seed: str = "1", folder: Path = HERE) -> Plan:
    return Plan(read(text, "conditions"), read_bots(bots.encode()), seed, folder)


def play(wanted: Plan) -> tuple[list[Step], Tournament]:
    steps = list(run(wanted))
    return steps, steps[-1].after


def kinds(steps: list[Step]) -> Counter[type]:
    return Counter(type(event) for step in steps for entry in step.entries for event in entry.events)


# --- to the end ----------------------------------------------------------------------------------------


LONG = {"canberra-masters": (pytest.mark.slow,)}
SHIPPED = [
    pytest.param(file, id=file.stem, marks=LONG.get(file.stem, ())) for file in sorted(EXAMPLES.glob("*-*.toml"))
]


@pytest.mark.parametrize("file", SHIPPED)
def test_20_19_every_example_is_played_to_the_end_and_pays_its_pool(file):
    steps, state = play(plan(file.read_text(), (EXAMPLES / "bots.toml").read_text()))
    accounts: Counter[str] = Counter()
    for step in steps:
        for entry in step.entries:
            for event in entry.events:
                for posting in postings("7", event):
                    accounts[posting.account] += posting.amount
                    assert accounts[posting.account] >= 0 or not posting.account.startswith(("pool/", "chips/"))
    assert state.phase == "over"
    paid = sum(payment.amount for payment in state.payments)
    assert paid == sum(player.paid - player.commission for player in state.players) + state.conditions.money.added
    assert accounts["pool/7"] == accounts["chip_bank/7"] == sum(accounts.values()) == 0


def made(**parts: Any) -> Plan:
    return Plan(conditions(**parts), read_bots(WILD.encode()), parts["sessions"][0].name, HERE)


def test_20_3_a_ii_b_a_sit_and_go_begins_before_all_have_come_who_might():
    sessions = (Session(name="Final", rounds=2),)
    _, state = play(made(sessions=sessions, structure={"sit_and_go": 3}, players={"most": 5}))
    assert (state.phase, len(state.players)) == ("over", 3)


def test_20_3_a_ii_d_bots_record_no_points_of_other_games():
    sessions = (Session(name="One", rounds=2, points=(3, 2, 1)),)
    steps, state = play(made(sessions=sessions, structure={"format": "points", "other_games": "Blackjack"}))
    assert (state.phase, state.recorded, kinds(steps)[e.PointsRecorded]) == ("over", ("blackjack",), 1)


SHOES, MINUTES = Session(name="Final", shoes=1), Session(name="Final", minutes=30)


@pytest.mark.parametrize("session", [SHOES, MINUTES], ids=["shoes", "minutes"])
def test_20_3_a_ii_f_nobody_buys_back_when_no_round_is_left(session):
    buying = {
        "times": 2,
        "fee": Cents(100),
        "chips": Cents(1000),
        "when": "at_once",
        "until": "Final",
        "method": "desk",
    }
    money = {"fee": Cents(1000), "chips": Cents(1000), "commission": Cents(0)}
    steps, state = play(made(sessions=(session,), players={"most": 8, "at_table": 4}, money=money, buy_back=buying))
    assert state.phase == "over"
    assert kinds(steps)[e.BoughtBack] > 4


def test_20_3_a_ii_f_eliminated_players_buy_back_before_the_next_ballot():
    sessions = (Session(name="Heats", rounds=3, advance=Advance(from_table=1)), Session(name="Final", rounds=2))
    buying = {"times": 1, "fee": Cents(100), "chips": Cents(1000), "until": "Heats", "method": "desk"}
    money = {"fee": Cents(1000), "chips": Cents(1000), "commission": Cents(0)}
    steps, state = play(made(sessions=sessions, players={"most": 8, "at_table": 4}, money=money, buy_back=buying))
    assert state.phase == "over"
    assert kinds(steps)[e.BoughtBack] > 0


@pytest.mark.parametrize("seed", range(8))
def test_small_tournaments_with_no_shows_reserves_and_buy_backs(seed):
    steps, state = play(plan(seed=str(seed)))
    assert state.phase == "over"
    assert sum(payment.amount for payment in state.payments) == state.conditions.money.added + sum(
        player.paid - player.commission for player in state.players
    )
    for event in (event for step in steps for entry in step.entries for event in entry.events):
        if isinstance(event, e.BallotDrawn):
            assert check_ballot(state.seed, state.seed_hash, event)


def test_20_9_20_10_20_3_a_ii_f_all_of_it_happens_in_eight_seeds():
    """The random tournaments above are only meaningful if they contain these events."""
    seen: Counter[type] = Counter()
    for seed in range(8):
        seen += kinds(play(plan(seed=str(seed)))[0])
    for kind in (e.SeatOffered, e.PositionForfeited, e.BoughtBack, e.Eliminated, e.MarkerMoved, e.TieFound):
        assert seen[kind], kind


def test_20_19_random_conditions_are_played_at_real_tables_and_paid_to_the_cent():
    """The conditions are those of the tests of decide and evolve; here the chips come from cards."""
    phases: Counter[str] = Counter()
    for seed in range(40):
        chance = Random(seed)
        wanted = playable(chance, chance.choice((1, 2, 8, 15)), 5)
        some = replace(read_bots(WILD.encode()), groups=chance.choice((0, 2)), seconds=chance.choice((1, 60)))
        accounts: Counter[str] = Counter()
        state = begin(wanted)
        for step in run(Plan(wanted, some, str(seed))):
            state = step.after
            for event in (event for entry in step.entries for event in entry.events):
                for posting in postings("7", event):
                    accounts[posting.account] += posting.amount
                    assert accounts[posting.account] >= 0 or not posting.account.startswith(("pool/", "chips/"))
        phases[state.phase] += 1
        assert accounts["pool/7"] == accounts["chip_bank/7"] == sum(accounts.values()) == 0
    assert set(phases) <= {"over", "cancelled"}
    assert phases["over"] > 30


def test_20_21_too_few_players_and_everything_goes_back():
    few = plan(bots="entries = 1\n[[bots]]\n")
    steps, state = play(few)
    assert state.phase == "cancelled"
    totals: Counter[str] = Counter()
    for entry in (entry for step in steps for entry in step.entries):
        for event in entry.events:
            for posting in postings("7", event):
                totals[posting.account] += posting.amount
    assert not any(totals.values())
    assert kinds(steps)[e.Entered] == 1


def test_20_21_nobody_turns_up():
    _, state = play(plan(bots='no_shows = "100%"\n[[bots]]\n'))
    assert state.phase == "cancelled"


@pytest.mark.parametrize(
    ("length", "low", "high"),
    [("rounds = 6", 6, 6), ("shoes = 2", 8, 40), ("minutes = 10", 5, 20)],
    ids=["A session by rounds", "by shoes", "by minutes"],
)
def test_a_session_lasts_as_long_as_the_conditions_say(length, low, high):
    text = SMALL.replace("rounds = 6\nadvance", f"{length}\nadvance")
    steps, _ = play(plan(text, bots='[[bots]]\nwagers = "minimum"'))
    rounds = Counter(one.place for step in steps for one in step.rounds if one.session == 1 and "table" in one.place)
    assert len(rounds) == 2
    assert all(low <= number <= high for number in rounds.values()), rounds


def test_20_17_slower_bots_play_fewer_rounds_in_the_same_time_but_never_slower_than_the_pace():
    text = SMALL.replace("rounds = 6\nadvance", "minutes = 30\nadvance")
    count = {}
    for seconds in (2, 10, 20, 500):
        steps, _ = play(plan(text, bots=f'seconds = {seconds}\n[[bots]]\nwagers = "minimum"'))
        count[seconds] = sum(len(step.rounds) for step in steps)
    assert count[2] > count[10] > count[20] == count[500]


# --- resuming ------------------------------------------------------------------------------------------


def test_from_every_step_it_goes_on_to_the_same_end():
    wanted = plan(seed="3")
    steps, state = play(wanted)
    bodies = [[write_logged(entry) for entry in step.entries] for step in steps]
    folded = begin(wanted.conditions)
    for done, body in enumerate(bodies, 1):
        for event in (event for line in body for event in read_logged(line).events):
            folded = evolve(folded, event)
        assert folded == steps[done - 1].after
        following = next_step(plan(seed="3"), folded)
        assert following == (steps[done] if done < len(steps) else None)
    assert folded == state


def test_tables_of_a_session_do_not_depend_on_each_other():
    """Whatever happened at table 1, table 2 deals and plays the same."""
    wanted = plan(seed="5")
    before = next(step.after for step in run(wanted) if step.after.phase == "session")
    swapped = Tournament(
        **{
            **{name: getattr(before, name) for name in before.__struct_fields__},
            "tables": tuple(
                type(table)(
                    **{**{name: getattr(table, name) for name in table.__struct_fields__}, "ended": table.table == 1}
                )
                for table in before.tables
            ),
        }
    )
    alone = next_step(wanted, swapped)
    first = next_step(wanted, before)
    assert first is not None
    second = next_step(wanted, first.after)
    assert alone is not None
    assert second is not None
    assert alone.rounds == second.rounds
    counted = [[entry.did for entry in step.entries if isinstance(entry.did, c.CountChips)] for step in (alone, second)]
    assert counted[0] == counted[1]
    assert counted[0]


def test_another_seed_is_another_tournament():
    assert play(plan(seed="1"))[1].standings != play(plan(seed="2"))[1].standings


# --- bots ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bot", "chips", "best", "left", "stake"),
    [
        (Bot(wagers="minimum"), 50_000, 90_000, 1, 1000),
        (Bot(wagers="share"), 50_000, 90_000, 1, 2000),
        (Bot(wagers="share"), 3_000, 90_000, 1, 1000),
        (Bot(wagers="chase", last=3), 50_000, 60_000, 4, 2000),
        (Bot(wagers="chase", last=3), 50_000, 60_000, 3, 11_000),
        (Bot(wagers="chase", last=3), 50_000, 120_000, 1, 20_000),
        (Bot(wagers="chase", last=3), 5_001, 120_000, 1, 5_000),
        (Bot(wagers="chase", last=3), 50_000, 20_000, 1, 1000),
    ],
)
def test_manners(bot, chips, best, left, stake):
    moment = Moment(chips, best, left, minimum=1000, maximum=20_000)
    assert wager_of(bot, moment, Players(Field(), "1").chance()) == stake


def test_random_wagers_stay_within_limits_and_chips():
    chance = Players(Field(), "1").chance()
    stakes = {wager_of(Bot(wagers="random"), Moment(5_500, 0, 9, 1000, 20_000), chance) for _ in range(200)}
    assert stakes == {1000, 2000, 3000, 4000, 5000}


def test_shares_of_the_field():
    field = read_bots(b'[[bots]]\nshare = 3\n[[bots]]\nshare = 1\nwagers = "random"\n[[bots]]\nshare = 0')
    players = Players(field, "1")
    count = Counter(field.bots.index(players.bot(f"Player {number}")) for number in range(2000))
    assert 1400 < count[0] < 1600
    assert count[2] == 0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("bots = 7", "bots: "),
        ('[[bots]]\nwagers = "all"', "bots[0].wagers: "),
        ("[[bots]]\nspeed = 7", "bots[0]: "),
        ('[[bots]]\npart = "half"', 'bots[0].part: \'half\' is not a fraction; write it as in "5%" or "1/20"'),
        ("[[bots]]\npart = 0.5", "bots[0].part: 0.5 is not a fraction"),
        ('no_shows = "101%"', "no_shows: '101%' is not a fraction"),
        ("entries = -1", "entries: "),
        ("bots = []", "bots: "),
        ("[[bots]]\nshare = 0", "every share is 0"),
        ("[[bots", "Expected"),
        ('[[bots]]\nplays = "mine.json"', "no strategy"),
    ],
)
def test_bad_bots_are_one_line(text, words):
    with pytest.raises(BotsError) as error:
        Players(read_bots(text.encode(), "bots.toml"), "1", HERE)
    assert words in str(error.value)
    assert "\n" not in str(error.value)


def test_not_even_text():
    with pytest.raises(BotsError, match="UTF-8"):
        read_bots(b"\xff")


def chart(file: Path, insurance: str) -> None:
    """A chart that surrenders hard 12 to 16."""
    upcards = ["2", "3", "4", "5", "6", "7", "8", "9", "K", "A"]

    def rows(totals: range, code) -> dict[str, dict[str, dict[str, str]]]:
        return {str(total): {up: {"code": code(total)} for up in upcards} for total in totals}

    hard = rows(range(4, 22), lambda total: "R" if 12 <= total <= 16 else "S" if total > 16 else "D")
    soft = rows(range(12, 22), lambda total: "S" if total > 17 else "H")
    made = {"rulebook": "canberra", "decks": 4, "upcards": upcards, "hard": hard, "soft": soft, "insurance": insurance}
    file.write_text(json.dumps(made))


def test_a_strategy_file_plays_insures_and_surrenders_within_the_chips(tmp_path):
    chart(tmp_path / "always.json", "always")
    chart(tmp_path / "never.json", "never")
    manner = '[[bots]]\nwagers = "share"\npart = "60%"\nplays = '
    bots = "\n".join(f'{manner}"{name}"' for name in ("always.json", "never.json", "chart"))
    seen: Counter[type] = Counter()
    for seed in "1234":
        steps, state = play(plan(bots=bots, seed=seed, folder=tmp_path))
        assert state.phase == "over"
        seen.update(type(event) for step in steps for one in step.rounds for event in one.events)
    assert seen[played.Surrendered]
    assert seen[played.InsuranceMade]
    assert seen[played.Doubled]
