"""The table on the screen, played by keys."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from pontoon.engine import Limits
from pontoon.terminal.app import INTERRUPTED
from pontoon.terminal.draw import Style
from pontoon.terminal.keep import Keep
from pontoon.terminal.line import Playing
from pontoon.terminal.table import Advice, Worth
from tests.terminal.screen import LARGE, SMALL, sitting

pytestmark = pytest.mark.asyncio
SIZES = pytest.mark.parametrize("size", [SMALL, LARGE], ids=["80x24", "120x40"])
LIMITS = Limits(500, 50_000)


def named(name: str, size: tuple[int, int]) -> str:
    return f"{name}-{size[0]}x{size[1]}"


# --- rounds ------------------------------------------------------------------------------------------------------


@SIZES
async def test_a_round_by_keys(size: tuple[int, int]) -> None:
    async with sitting("division-15", "9s 9d 8c Kd", size=size, limits=LIMITS) as player:
        await player.snapshot(named("betting", size))
        await player.press("enter")
        await player.asked("decision")
        await player.snapshot(named("decision", size))
        await player.press("s")
        await player.asked("wagers")
        await player.sees("loses", "−$10", "wallet $990", "session −$10")
        await player.snapshot(named("settled", size))


@SIZES
async def test_insurance(size: tuple[int, int]) -> None:
    async with sitting("star", "9s Ad 8h Kc", size=size, limits=LIMITS) as player:
        await player.press("enter")
        await player.asked("offer")
        await player.snapshot(named("insurance", size))
        await player.press("i")
        await player.until(lambda: player.app.model.view.round.offer == "surrender")  # type: ignore[union-attr]
        await player.press("n")
        await player.asked("decision")
        await player.press("s")
        await player.asked("wagers")
        await player.sees("insured $5 wins 2:1 +$10", "pontoon", "session $0")


@SIZES
async def test_a_split_has_two_hands_side_by_side(size: tuple[int, int]) -> None:
    async with sitting("division-15", "8s 6d 8h 3c 9s Kd Kh 9c", size=size, limits=LIMITS) as player:
        await player.press("enter")
        await player.asked("decision")
        await player.press("p")
        await player.sees("► Box 1.1 Player", "Box 1.2 Player")
        await player.snapshot(named("split", size))
        await player.press("d")
        await player.asked("offer")
        await player.press("k")
        await player.asked("decision")
        await player.sees("► Box 1.2 Player")
        await player.press("s")
        await player.asked("wagers")
        await player.sees("session +$30")


@SIZES
async def test_double_and_forfeit(size: tuple[int, int]) -> None:
    async with sitting("division-15", "8s Kd 3h 2c", size=size, limits=LIMITS) as player:
        await player.press("enter")
        await player.asked("offer")
        await player.press("n")
        await player.asked("decision")
        await player.press("d")
        await player.sees("13, doubled", "$10 +$10", "[f]orfeit [k]eep")
        await player.snapshot(named("forfeit", size))
        await player.press("f")
        await player.asked("wagers")
        await player.sees("forfeited", "session −$10")


async def test_surrender() -> None:
    async with sitting("star", "9s Kd 7h 8c", limits=LIMITS) as player:
        await player.press("enter")
        await player.asked("offer")
        await player.sees("s[u]rrender", "You are asked: surrender")
        await player.press("u")
        await player.asked("wagers")
        await player.sees("surrendered", "−$5", "session −$5")


async def test_seven_boxes_fit_into_the_small_screen() -> None:
    cards = "9s 9h 9c 8s 8h 8c 7s 6d 7h 7c 7d 6s 6h 6c 5s"
    async with sitting("division-15", cards, limits=LIMITS, bots=6) as player:
        await player.press("enter")
        await player.asked("decision")
        await player.sees(*(f"Box {number}" for number in range(1, 8)))
        await player.snapshot("seven-boxes-80x24")


# --- what is not allowed, and help -------------------------------------------------------------------------------


async def test_what_cannot_be_done_says_why_with_its_clause() -> None:
    async with sitting("division-15", "5s 6d 4h", limits=LIMITS) as player:
        await player.press("enter")
        await player.asked("decision")
        await player.press("s")
        await player.sees("Not allowed: you hold 9; a hand below 12 must draw  [14.1(d)]")
        await player.press("p")
        await player.sees("Not allowed: 5♠ 4♥ is not a pair that may be split  [")
        await player.press("i")
        await player.sees("Not allowed: insurance is not open now")
        await player.press("n")
        await player.sees("Not allowed: nothing is offered now. Your decision: box 1, 9")
        await player.press("enter")
        await player.sees("Nothing to place.")
        await player.press("question_mark")
        await player.sees("not now: you hold 9; a hand below 12 must draw  [14.1(d)]", "Esc closes")
        await player.snapshot("help-80x24")
        await player.press("escape")
        assert len(player.app.screen_stack) == 1


async def test_chips_that_are_not_there_are_said() -> None:
    async with sitting("division-15", "8s 6d 8h", chips=1_500) as player:
        await player.press("enter")
        await player.asked("decision")
        await player.press("d")
        await player.sees("Not allowed: you do not have enough chips for that")


# --- wagers ------------------------------------------------------------------------------------------------------


async def test_chips_by_digit_undo_clear_repeat() -> None:
    async with sitting("star", limits=LIMITS, boxes=2) as player:
        await player.press("1", "1", "2")
        await player.sees("next: $20", "Meant: 1:20.00 2:10.00. Enter places it.")
        await player.press("z")
        await player.sees("Meant: 1:20.00.")
        await player.press("plus", "2")
        await player.sees("chip $25", "Meant: 1:20.00 2:25.00.")
        await player.press("minus", "minus")
        await player.sees("chip $5")
        await player.press("t", "1")
        await player.sees("on Perfect Pairs", "Meant: 1:20.00 +5.00 2:25.00.")
        await player.press("c")
        await player.sees("Enter bets 10.00 and deals")
        await player.press("r")
        await player.sees("Meant: 10.00.")
        await player.press("7")
        await player.sees("You play box 1, 2")


async def test_a_bet_or_an_amount_can_be_typed() -> None:
    async with sitting("canberra", "8s 6d 3h 9c Kd Kc", limits=LIMITS) as player:
        await player.press("slash", *"20", "enter")
        await player.sees("Meant: 20.00.")
        await player.press("slash", *"ten", "enter")
        await player.sees("'ten' is nothing you can do here")
        await player.press("enter")
        await player.asked("decision")
        await player.press("slash", *"d 5", "enter")
        await player.sees("$20 +$5")


async def test_the_cut_is_offered() -> None:
    async with sitting("canberra", limits=LIMITS, ready=False) as player:
        await player.asked("cut")
        await player.sees("You may cut the cards", "Enter cuts in the middle, n passes it on.")
        await player.press("enter")
        await player.asked("wagers")
        await player.sees("Player cuts 192 cards")


# --- the screen --------------------------------------------------------------------------------------------------


async def test_resizing_redraws() -> None:
    async with sitting("division-15", "9s 9d 8c Kd", limits=LIMITS) as player:
        await player.press("enter")
        await player.asked("decision")
        await player.pilot.resize_terminal(*LARGE)
        await player.sees("Coach: a asks")
        await player.snapshot("decision-120x40")
        await player.pilot.resize_terminal(*SMALL)
        await player.until(lambda: "Coach: a asks" not in player.text)
        await player.snapshot("decision-80x24")


async def test_ascii_cards_and_settings() -> None:
    async with sitting("division-15", "9s 9d 8c Kd", style=Style(unicode=False), limits=LIMITS) as player:
        await player.press("enter")
        await player.asked("decision")
        await player.sees("|9s|8c|", "> Box 1 Player")
        await player.press("o", "p", "u", "4")
        await player.sees("p  pace         fast", "u  cards        Unicode", "4  colours      four")
        assert player.app.table.live.room.state.clocks.card == 150  # type: ignore[attr-defined] # it is embedded
        await player.press("escape")
        await player.sees("│9♠│8♣│")


async def test_the_log_can_be_read_back() -> None:
    async with sitting("division-15", "9s 9d 8c Kd", limits=LIMITS) as player:
        await player.press("enter")
        await player.asked("decision")
        await player.press("s")
        await player.asked("wagers")
        await player.press("l")
        await player.sees("Box 1: wager $10 loses, −$10  [", "Round 1: Player −$10")
        await player.press("escape")


async def test_no_color_leaves_no_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with sitting("division-15", "9h 9d 8c Kd", limits=LIMITS) as player:
        await player.press("enter")
        await player.asked("decision")
        assert player.app.native_ansi_color
        svg = player.app.export_screenshot()
        assert "#c4161c" not in svg.lower()


# --- the coach ---------------------------------------------------------------------------------------------------


@SIZES
async def test_the_coach(size: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    asked = asyncio.Event()

    async def advice() -> Advice:
        await asked.wait()
        rows = (Worth("stand", 0.1, 100, chart=True), Worth("hit", -0.4, -400))
        return Advice(rows, "9s 8c against 9d, $10", "Chart, hard 17 against 9: stand.", "Counted: this round.")

    async with sitting("division-15", "9s 9d 8c Kd", size=size, limits=LIMITS) as player:
        monkeypatch.setattr(player.app.table, "advice", advice)
        await player.press("enter")
        await player.asked("decision")
        await player.press("a")
        await player.sees("Preparing…")
        asked.set()
        await player.sees("► stand", "+0.1000", "chart", "Counted: this round.")
        await player.snapshot(named("coach", size))
        await player.press("s")  # a key of the game closes the coach and acts
        await player.asked("wagers")
        await player.sees("loses", "session −$10")
        assert "Esc closes" not in player.text


async def test_the_coach_knows_the_exact_values() -> None:
    async with sitting("star", "8s 7d 8h 3c", size=LARGE, limits=LIMITS) as player:
        await player.press("enter")
        await player.asked("decision")
        advice = await player.app.table.advice()
        assert advice.rows[0].action == "split"
        assert advice.rows[0].value == pytest.approx(0.15, abs=0.02)
        assert advice.hand == "8s 8h against 7d, $10"
        await player.press("s")
        await player.asked("wagers")
        assert (await player.app.table.advice()).words == "There is nothing to decide now."


# --- leaving -----------------------------------------------------------------------------------------------------


async def test_ctrl_c_saves_the_round_and_leaves_with_130(tmp_path: Path) -> None:
    file = tmp_path / "round.prt"
    playing = Playing(keep=Keep(file))
    async with sitting("division-15", "9s 9d 8c Kd", playing=playing, limits=LIMITS) as player:
        await player.press("enter")
        await player.asked("decision")
        await player.press("ctrl+c")
        await player.pilot.pause()
        assert player.app.return_value == INTERRUPTED
        assert player.app.said == [f"The round as far as it went is saved in {file}"]
    assert file.read_text("utf-8").startswith("# round 1, unfinished")


async def test_leaving_in_a_round_asks_and_between_rounds_does_not(tmp_path: Path) -> None:
    playing = Playing(keep=Keep(folder=tmp_path))
    async with sitting("division-15", "9s 9d 8c Kd", playing=playing, limits=LIMITS) as player:
        await player.press("enter")
        await player.asked("decision")
        await player.press("q")
        await player.sees("The round is on. Leave all the same?")
        await player.press("n")
        assert len(player.app.screen_stack) == 1
        await player.press("s")
        await player.asked("wagers")
        await player.until((tmp_path / "round-0001.prt").exists)
        await player.press("q")
        await player.pilot.pause()
        assert player.app.return_value == 0


async def test_a_number_of_rounds(tmp_path: Path) -> None:
    playing = Playing(rounds=1, keep=Keep(tmp_path / "one.prt"))
    async with sitting("star", "As 9d Kc", playing=playing, limits=LIMITS) as player:
        await player.press("enter")
        await player.until(lambda: player.app.return_value == 0)
    assert (tmp_path / "one.prt").read_text("utf-8").startswith("# round 1\n")
