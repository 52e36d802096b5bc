"""`pontoon risk`: chances that can be worked out by hand, the same answer for the same seed, one line for bad input."""

from __future__ import annotations

import json
import math
from itertools import pairwise

import pytest

from pontoon.cli import risk
from pontoon.cli.common.parser import Parser
from pontoon.cli.common.player import Play
from pontoon.rulebook import load
from pontoon.simulation import compile_game
from pontoon.simulation.bankroll import Session, Steps, bars, outlook, steps_of, work_of

PNG = b"\x89PNG\r\n\x1a\n"
COIN = steps_of({-100: 1, 100: 1})
PONTOON = steps_of({-4000: 2, -2000: 36, -1000: 447, 0: 84, 500: 1, 1000: 322, 1500: 48, 2000: 59, 102000: 1})


def first_passage(distance: int, steps: int) -> float:
    """The chance that a fair coin is `distance` down at least once within `steps` tosses: by reflection."""
    ways = {heads: math.comb(steps, heads) for heads in range(steps + 1)}
    down = {heads: steps - 2 * heads for heads in ways}
    reached = sum(count for heads, count in ways.items() if down[heads] >= distance)
    passed = sum(count for heads, count in ways.items() if down[heads] > distance)
    return float((reached + passed) / 2**steps)


@pytest.mark.parametrize(("bankroll", "rounds"), [(300, 4), (500, 20), (500, 21), (1000, 200)])
def test_ruin_of_a_fair_coin_is_what_reflection_says(bankroll, rounds):
    found = outlook(COIN, Session(bankroll, 100, rounds))
    assert found.ruin == pytest.approx(first_passage(bankroll // 100, rounds), abs=1e-12)
    assert found.mean == pytest.approx(0, abs=1e-9)
    assert sum(chance for _, chance in found.ends) == pytest.approx(1, abs=1e-12)


def test_ruin_of_a_biased_coin_in_the_long_run():
    # Down with 0.4, up with 0.6: from three units it is lost forever with (0.4 / 0.6) ** 3.
    found = outlook(Steps((-100, 100), (0.4, 0.6)), Session(300, 100, 2000))
    assert found.ruin == pytest.approx((0.4 / 0.6) ** 3, abs=1e-9)


def test_low_point_of_a_fair_coin():
    # The lowest of n tosses is d or lower as often as d is passed; ruin at -3 ends it there.
    found = outlook(COIN, Session(300, 100, 30))
    expected = -100 * sum(first_passage(depth, 30) for depth in (1, 2, 3))
    assert found.low_point == pytest.approx(expected, abs=1e-9)


def test_without_ruin_mean_and_deviation_are_those_of_the_rounds():
    found = outlook(PONTOON, Session(10_000_000, 1000, 300))
    assert found.ruin == 0
    assert found.mean == pytest.approx(300 * PONTOON.mean, rel=1e-8)
    assert found.sd == pytest.approx(math.sqrt(300) * PONTOON.sd, rel=1e-5)


def test_ruin_rises_with_time_and_percentiles_are_in_order():
    found = outlook(PONTOON, Session(20000, 1000, 240))
    assert all(one.ruin <= two.ruin for one, two in pairwise(found.moments))
    assert found.moments[-1].ruin == pytest.approx(found.ruin)
    assert found.moments[0].rounds == 0
    assert found.moments[-1].rounds == 240
    for moment in found.moments:
        values = list(moment.percentiles.values())
        assert values == sorted(values)
    # A double lost with the last chips: below one stake by less than the most that a round can lose.
    assert min(result for result, _ in found.ends) >= 1000 - 20000 - 4000


def test_drawn_sessions_agree_with_the_exact_chances_and_depend_on_the_seed_alone():
    session = Session(20000, 1000, 240)
    exact = outlook(PONTOON, session)
    drawn = outlook(PONTOON, session, sessions=20000, seed=3)
    assert drawn == outlook(PONTOON, session, sessions=20000, seed=3)
    assert drawn != outlook(PONTOON, session, sessions=20000, seed=4)
    assert abs(drawn.ruin - exact.ruin) < 4 * drawn.ruin_error
    assert abs(drawn.mean - exact.mean) < 4 * exact.sd / math.sqrt(20000)
    assert drawn.low_point == pytest.approx(exact.low_point, rel=0.03)
    assert exact.ruin_error == 0


def test_leaned_steps_have_the_mean_and_hardly_another_shape():
    leaned = steps_of({-1000: 500, 0: 80, 1000: 420}, mean=-76.0)
    assert leaned.mean == pytest.approx(-76.0, abs=1e-9)
    assert leaned.chances == pytest.approx((0.498, 0.08, 0.422), abs=1e-3)
    assert steps_of({0: 5}, mean=0.0).chances == (1.0,)


def test_a_round_that_moves_nothing():
    found = outlook(steps_of({0: 5}), Session(1000, 1000, 10))
    assert (found.ruin, found.even, found.low_point) == (0, 1, 0)


def test_bars_hold_everything():
    found = outlook(PONTOON, Session(50000, 1000, 240))
    held = bars(found.ends, 5000, low=-40000, high=40001)
    assert sum(bar.chance for bar in held) == pytest.approx(1)
    assert {bar.high - bar.low for bar in held} == {5000}


def test_work_grows_with_the_session():
    assert work_of(PONTOON, Session(50000, 1000, 100)) < work_of(PONTOON, Session(50000, 1000, 1000))


# --- the command ---------------------------------------------------------------------------------------


class Stands:
    """Never busts: a strategy that is quick to compile."""

    def choose(self, situation):
        return next(one for one in ("keep", "stand", "hit") if one in situation.may)

    def insures(self, *_):
        return False


@pytest.fixture(scope="module")
def game():
    return compile_game(load("star"), Stands(), 1000)


@pytest.fixture
def ask(capsys, monkeypatch, game):
    monkeypatch.setattr(risk, "play_of", lambda *_: Play(Stands(), -0.05))
    monkeypatch.setattr(risk, "game_of", lambda *_: game)
    return lambda *arguments: command(capsys, "star", "--rounds", "2e5", *arguments)


def command(capsys, *arguments):
    top = Parser(prog="pontoon")
    risk.add_to(top.add_subparsers())
    try:
        args = top.parse_args(["risk", *arguments])
        status = args.run(args)
    except SystemExit as ended:
        status = ended.code
    out, err = capsys.readouterr()
    return status, out, err


def test_json(ask):
    status, out, err = ask("--bankroll", "200", "--hours", "2", "--json")
    assert (status, err) == (0, "")
    found = json.loads(out)
    assert (found["rulebook"], found["decks"], found["bankroll"], found["rounds"]) == ("star", 8, "200.00", 120)
    assert found["round"]["ev"] == pytest.approx(-0.05)
    assert found["mean"] < 0
    assert 0 < found["ruin"] < 1
    assert found["low_point"] < found["mean"]
    assert set(found["percentiles"]) == {"1", "5", "10", "25", "50", "75", "90", "95", "99"}
    assert sum(bar["chance"] for bar in found["histogram"]) == pytest.approx(1)
    assert found["path"][0]["hours"] == 0
    assert found["path"][-1] == {"hours": 2, "ruin": found["ruin"], "percentiles": found["percentiles"]}
    assert found["sessions"] == 0


def test_the_same_seed_gives_the_same_answer(ask):
    answers = []
    for seed in ("1", "1", "2"):
        found = json.loads(ask("--seed", seed, "--json", "--sessions", "500")[1])
        del found["seconds"], found["seed"]
        answers.append(found)
    assert answers[0] == answers[1] != answers[2]


def test_words_and_picture(ask, tmp_path):
    picture = tmp_path / "session.png"
    status, out, _ = ask("--bankroll", "200", "--out", str(picture))
    assert status == 0
    assert "ruined" in out
    assert "█" in out
    assert max(map(len, out.splitlines())) <= 120
    assert picture.read_bytes().startswith(PNG)


def test_a_long_session_is_sampled(ask, monkeypatch):
    monkeypatch.setattr("pontoon.simulation.bankroll.MOST_WORK", 1.0)
    found = json.loads(ask("--hours", "1", "--json")[1])
    assert found["sessions"] == risk.SESSIONS
    assert "were sampled" in found["method"]


def test_a_picture_that_cannot_be_written(ask, tmp_path):
    status, out, err = ask("--out", str(tmp_path / "nowhere" / "session.png"))
    assert (status, out) == (2, "")
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ("--bankroll", "0"),
        ("--bankroll", "-5"),
        ("--bankroll", "plenty"),
        ("--bankroll", "5"),
        ("--hours", "-1"),
        ("--hours", "nan"),
        ("--hours", "long"),
        ("--hours", "0.001"),
        ("--hours", "1e9"),
        ("--rounds-per-hour", "0"),
        ("--stake", "0"),
        ("--stake", "0.05"),
        ("--sessions", "0"),
        ("--sessions", "1e6", "--hours", "1000"),
        ("--rounds", "0"),
        ("--seed", "x"),
        ("--decks", "3"),
        ("--set", "split.max_hands=x"),
        ("--strategy", "no/such/file.json"),
        ("extra",),
    ],
)
def test_bad_input_is_one_line(capsys, arguments):
    status, out, err = command(capsys, "star", *arguments)
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    assert err.startswith("pontoon")


def test_the_rulebook_must_be_one(capsys):
    assert command(capsys, "nowhere")[0] == 2


def test_a_file_that_is_no_strategy(capsys, tmp_path):
    file = tmp_path / "mine.json"
    file.write_text("[]")
    assert "neither" in command(capsys, "star", "--strategy", str(file))[2]
