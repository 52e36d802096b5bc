"""Line mode: scripted sessions with known cards, checked as a player sees them."""

from __future__ import annotations

import asyncio
import io
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pontoon.cli import main
from pontoon.engine import Limits, Round
from pontoon.engine import events as e
from pontoon.rulebook import NAMES, load
from pontoon.terminal.actions import TypedError, read_action
from pontoon.terminal.bets import BetError, bets_words, read_bets
from pontoon.terminal.console import Console
from pontoon.terminal.embedded import ID
from pontoon.terminal.keep import Keep
from pontoon.terminal.line import LineGame, Playing, choose_rulebook
from pontoon.transcript import Replay, nets, read, replay
from pontoon.view.events import said
from tests.terminal.seat import near


class Session:
    """A finished session."""

    def __init__(self, game: LineGame) -> None:
        self.chips = game.model.wallet
        self.rounds = game.model.rounds
        self.balances = game.table.house.store.balances()  # type: ignore[attr-defined] # it is embedded


def session(
    cards: str,
    typed: str | Iterator[str],
    rulebook: str = "star",
    *,
    symbols: bool = False,
    rounds: int = 0,
    side: str = "perfect_pairs",
    transcripts: Path | None = None,
    **table,
) -> tuple[Session, str]:
    """Play with these cards and this input, `/` between lines; return the game and its output.

    Every choice has a default, so that a test names only what it is about.
    """
    shown = io.StringIO()
    lines = io.StringIO(typed.replace("/", "\n") + "\n") if isinstance(typed, str) else typed
    console = Console(lines, shown, symbols=symbols)

    async def play() -> LineGame:
        seat, model = near(rulebook, cards, **table)
        game = LineGame(seat, model, console, Playing("10", side, rounds, Keep(folder=transcripts)))
        await game.run()
        await seat.close()
        return game

    return Session(asyncio.run(play())), shown.getvalue()


# Cards in the order of the deal: box 1, dealer, box 1, then what is drawn.
def test_a_whole_session_reads_like_this() -> None:
    _, shown = session("7s 7d 7h 7c", "25/h/q", "division-15")
    assert shown == (
        "Pontoon by the rulebook division-15: Division 15: Pontoon; "
        "a regulator's division of casino rules, jurisdiction not named\n"
        "Play chips only: they cannot be bought, and nothing can be won or lost but the game.\n"
        "8 packs of 48 cards, wagers $0 and up. Type ? at any prompt for help.\n"
        "The game supervisor has checked the cards  [6.1]\n"
        "The cards are spread for Player  [6.2 6.4]\n"
        "384 cards are washed and shuffled  [7.1 7.1(a) 6.3(c) 6.4(c) 6.3 6.3(a) 6.3(b) 6.4 6.4(a) 6.4(b)]\n"
        "Player is offered the cut  [7.2 7.3 7.3(a) 7.3(b) 7.3(c) 7.3(d)]\n"
        "Player declines the cut  [7.4]\n"
        "A casino employee cuts 192 cards  [7.5 7.6 7.4]\n"
        "The cutting card goes in with 96 cards behind it  [7.6]\n"
        "\n"
        "Wallet $1,000. Bet (Enter for 10.00, q leaves): 25\n"
        "Dealer: 7d\n"
        "Box 1: 7s 7h = 14\n"
        "> [h]it [s]tand [d]ouble s[p]lit ? h\n"
        "Box 1: 7s 7h 7c = 21, 7-7-7 mixed suits\n"
        "Box 1: wager $25 wins 3:2, +$37.50  [5.1(d) 9.2 11.1]\n"
        "Box 1: the cards go to the discard rack  [9.1 9.2 14.2 16.5]\n"
        "The dealer draws no more cards: they would change nothing  [14.4]\n"
        "Round 1: +$37.50, wallet $1,037.50\n"
        "\n"
        "Wallet $1,037.50. Bet (Enter for 25.00, q leaves): q\n"
        "Session: 1 round, +$37.50, wallet $1,037.50. Goodbye.\n"
    )


@pytest.mark.parametrize("rulebook", NAMES)
def test_pontoon_is_paid_at_once_in_every_rulebook(rulebook: str) -> None:
    game, shown = session("As 9d Kc", "10/q", rulebook)
    assert "Box 1: As Kc = pontoon" in shown
    assert "wager $10 wins 3:2, +$15" in shown
    assert game.chips == 101_500


@pytest.mark.parametrize("rulebook", NAMES)
def test_stand_and_lose_in_every_rulebook(rulebook: str) -> None:
    game, shown = session("9s 9d 8c Kd", "10/s/q", rulebook)
    assert "Box 1 stands on 17" in shown
    assert "Dealer: 9d Kd = 19" in shown
    assert "Box 1: wager $10 loses, −$10  [" in shown
    assert game.chips == 99_000


def test_bust_is_collected_at_once() -> None:
    game, shown = session("9s 9d 8c Kd", "10/hit/q")
    assert "Box 1: 9s 8c Kd = bust 27\nBox 1: wager $10 loses, −$10  [" in shown
    assert game.chips == 99_000


def test_split_shows_both_hands_and_names_the_one_in_turn() -> None:
    game, shown = session("8s 6d 8h 3c 9s Kd Kh 9c", "10/p/d/k/s/q", "division-15")
    assert "Box 1: Player splits, $10 on the second hand" in shown
    assert "Box 1, hand 1: 8s 3c = 11" in shown
    assert "box 1.1> [h]it [d]ouble ?" in shown
    assert "box 1.1> [f]orfeit [k]eep ?" in shown
    assert "Box 1, hand 2: 8h Kd = 18" in shown
    assert "box 1.2> [h]it [s]tand [d]ouble ?" in shown
    assert game.chips == 103_000


def test_double_and_forfeit_gives_the_double_back() -> None:
    game, shown = session("8s Kd 3h 2c", "10/n/d/f/q", "division-15")
    assert "Box 1: 8s 3h 2c = 13, doubled" in shown
    assert "Forfeit is offered: take back the double and lose the original wager" in shown
    assert "Box 1: wager $10 forfeited, −$10" in shown
    assert "Box 1: double $10 returned" in shown
    assert game.chips == 99_000


def test_no_to_forfeit_is_keep() -> None:
    game, shown = session("8s 6d 3h 9c Kd Kc", "10/d/n/q", "division-15")
    assert "Box 1 stands on 20" in shown
    assert game.chips == 102_000


def test_a_double_may_be_for_less_where_the_rulebook_says_so() -> None:
    game, shown = session("8s 6d 3h 9c Kd Kc", "10/d 5/k/q", "canberra")
    assert "Box 1: Player doubles with $5" in shown
    assert game.chips == 101_500


def test_a_soft_double_says_that_the_ace_counts_one() -> None:
    _, shown = session("As 6d 8h 9c Kd Kc", "10/d/k/q", "division-15")
    assert "Box 1: Player doubles with $10; the ace counts 1" in shown


def test_insurance_wins_on_a_dealers_pontoon() -> None:
    game, shown = session("9s Ad 8h Kc", "10/i/n/s/q")
    assert "The dealer shows an ace: insurance against pontoon is offered, it pays 2:1" in shown
    assert "> [i]nsure up to $5 [n]o ? i\nBox 1: Player insures for $5" in shown
    assert "Dealer: Ad Kc = pontoon" in shown
    assert "Box 1: insurance $5 wins 2:1, +$10" in shown
    assert game.chips == 100_000


def test_insurance_may_be_for_less_and_too_much_is_refused() -> None:
    game, shown = session("9s Ad 8h 9c", "10/i 6/i 2/n/s/q")
    assert "Not allowed: $6 cannot be insured; insure up to $5" in shown
    assert "Box 1: insurance $2 loses, −$2" in shown
    assert game.chips == 98_800


def test_insurance_and_surrender_are_asked_box_by_box() -> None:
    _, shown = session("9s 9c Ad 8h 7h 9h", "10/n/i/u/n/s/q", "canberra", boxes=2)
    asked = [line for line in shown.splitlines() if line.startswith("box") and "?" in line]
    assert asked == [
        "box 1> [i]nsure up to $5 [n]o ? n",
        "box 2> [i]nsure up to $5 [n]o ? i",
        "box 1> s[u]rrender [n]o ? u",
        "box 2> s[u]rrender [n]o ? n",
        "box 2> [h]it [s]tand [d]ouble ? s",
    ]


def test_surrender_costs_half() -> None:
    game, shown = session("9s Kd 7h 8c", "10/u/q")
    assert "Surrender is offered: you lose half the wager" in shown
    assert "Box 1: wager $10 surrendered, −$5" in shown
    assert game.chips == 99_500


def test_surrender_in_turn_where_the_rulebook_has_it() -> None:
    game, shown = session("9s Kd 7h 8c", "10/n/u/q", "adelaide")
    assert "> [h]it [s]tand s[u]rrender ? u" in shown
    assert game.chips == 99_500


def test_side_wager_is_settled_before_the_hand() -> None:
    game, shown = session("9s 6d 9h Kc 9c", "10 +5/s/q")
    assert "Box 1: 9s 9h = 18\nBox 1: Perfect Pairs $5 wins 5:1, mixed pair, +$25" in shown
    assert game.chips == 103_500


def test_pairs_play_by_option() -> None:
    _, shown = session("9s 6d 8h Kc 9c", "10+5/s/q", "canberra", side="pairs_play")
    assert "Box 1: Pairs Play $5 loses, −$5" in shown


def test_a_side_wager_the_rulebook_does_not_know_is_refused_with_its_clause() -> None:
    game, shown = session("9s 6d 8h", "10 +5/q", "division-15")
    assert "Perfect Pairs is not offered at this table  [5.1]" in shown
    assert (game.rounds, game.chips) == (0, 100_000)


def test_super_bonus() -> None:
    game, shown = session("7s 7d 7s 7s", "25/h/q")
    assert "Box 1: Super Bonus, +$5,000  [" in shown
    assert game.chips == 100_000 + 7_500 + 500_000


def test_an_illegal_action_is_refused_with_its_sentence_and_clause_and_loses_nothing() -> None:
    game, shown = session("5s 6d 4h 9c Kd 9d", "10/s/p/i/h/s/q", "division-15")
    assert "Not allowed: you hold 9; a hand below 12 must draw  [14.1(d)]" in shown
    assert "Not allowed: 5s 4h is not a pair that may be split  [" in shown
    assert "Not allowed: insurance is not open now" in shown
    assert "Box 1: 5s 4h 9c = 18" in shown
    assert game.chips == 101_000


def test_words_that_are_no_action_are_answered() -> None:
    _, shown = session("9s 6d 8h Kc 9c", "10/dance//h 5/d x/d 0/n/s/q")
    assert "'dance' is nothing you can do here; ? lists what is." in shown
    assert "? ?" not in shown
    assert "? lists what you can do." in shown
    assert "hit takes no amount." in shown
    assert "'x' is not an amount, as in d 7.50." in shown
    assert "'0' is not an amount" in shown
    assert "Not allowed: nothing is offered now. Your decision: box 1, 17" in shown


def test_help_explains_what_may_be_done_and_why_not() -> None:
    _, shown = session("5s 6d 4h", "10/?", "division-15")
    assert "  Dealer: 6d\n  Box 1: 5s 4h = 9\n  h hit        take a card\n" in shown
    assert "  s stand      not now: you hold 9; a hand below 12 must draw  [14.1(d)]" in shown
    assert "k keep" not in shown


def test_help_at_the_bet() -> None:
    _, shown = session("5s 6d 4h", "?", "star", boxes=2)
    assert "Enter alone bets the same as last time" in shown
    assert "1:10 2:20 names the boxes" in shown
    assert "10 +5 adds Perfect Pairs of 5.00" in shown
    _, shown = session("5s 6d 4h", "?", "federal")
    assert "Pairs" not in shown
    assert "names the boxes" not in shown


def test_chips_that_are_not_there_cannot_be_bet() -> None:
    game, shown = session("8s 6d 8h Kd 9c 9d", "20/10/d/p/?/s/q", "division-15", chips=1_500)
    assert "Not enough chips: this bet is $20, the wallet has $15" in shown
    assert "? d\nNot enough chips: the wallet has $5; a smaller amount may be possible, as in d 5.00\n" in shown
    assert "? p\nNot enough chips: the wallet has $5\n" in shown
    assert game.chips == 2_500


def test_a_smaller_insurance_or_double_is_proposed_when_the_wallet_is_low() -> None:
    game, shown = session("8s Ad 3h Kc 5c 2d", "10/i/i 3/n/d/h/s/q", "canberra", chips=1_300)
    assert "> [i]nsure up to $3 [n]o ? i\n" in shown
    assert "Not enough chips: the wallet has $3; a smaller amount may be possible, as in i 3.00\n" in shown
    assert "Not enough chips: the wallet has $0\n" in shown
    assert game.chips == 2_000


def test_an_empty_wallet_ends_the_session() -> None:
    game, shown = session("9s 9d 8c Kd", "10/h/10", chips=1_000)
    assert shown.endswith("The wallet is empty.\nSession: 1 round, −$10, wallet $0. Goodbye.\n")
    assert game.chips == 0


def test_quit_belongs_to_the_betting_prompt() -> None:
    game, shown = session("9s 9d 8c Kd", "10/q/s/q")
    assert "The round is on: play it out, then q leaves the table." in shown
    assert game.rounds == 1


def test_the_end_of_input_in_a_round_says_goodbye_and_the_round_does_not_count() -> None:
    game, shown = session("9s 9d 8c Kd", "10")
    assert "This round was not finished and does not count.\nSession: 0 rounds, $0, wallet $1,000" in shown
    assert game.rounds == 0


def test_limits_are_said_by_the_table() -> None:
    _, shown = session("As 9d Kc", "2/600/q", limits=Limits(500, 50_000))
    assert "Not allowed: the stake is below the minimum of $5  [" in shown
    assert "Not allowed: the stake is above the maximum of $500  [" in shown


def test_a_bet_is_placed_whole_or_not_at_all() -> None:
    game, shown = session("As 9d Kc", "1:10 2:1000/q", boxes=2)
    assert "Player takes back $10 from box 1" in shown
    assert "Not enough chips: this bet is $1,010, the wallet has $1,000\n" in shown
    assert (game.rounds, game.chips) == (0, 100_000)


def test_the_shoe_is_shuffled_by_the_book_when_the_cutting_card_is_out() -> None:
    _, shown = session("", typist(random.Random(1), 4_000), "canberra", rounds=60, decks=6, chips=10_000_000)
    assert "The cutting card comes at " in shown
    assert "The last shoe is revealed; you can check it now" in shown


def test_rounds_limits_the_session_and_enter_repeats_the_bet() -> None:
    game, shown = session("As 9d Kc As 9d Kc", "20//", rounds=2)
    assert game.chips == 106_000
    assert shown.endswith("Session: 2 rounds, +$60, wallet $1,060. Goodbye.\n")


def test_a_bet_that_cannot_be_read_is_asked_again() -> None:
    _, shown = session("As 9d Kc", "ten/10..5/2:10/10 20/q")
    assert "'ten' is not a bet; type a stake, as in 10 or 7.50, or ? for help." in shown
    assert "10..5 is not an amount" in shown
    assert "you play box 1 only." in shown


def test_cards_with_symbols_leave_clauses_alone() -> None:
    _, shown = session("5s 6d 4h", "10/p", "division-15", symbols=True)
    assert "Dealer: 6♦\nBox 1: 5♠ 4♥ = 9\n" in shown
    assert "Not allowed: 5♠ 4♥ is not a pair that may be split  [" in shown


def test_a_script_may_have_comments() -> None:
    game, _ = session("As 9d Kc", "# the first bet/20/q")
    assert game.chips == 103_000


@pytest.mark.parametrize(
    ("text", "typed"),
    [
        ("10", "10.00"),
        ("$7.50+5", "7.50 +5.00"),
        ("1:10, 2:20 +5", "1:10.00 2:20.00 +5.00"),
        ("2:8", "2:8.00"),
        ("1:10 2:10", "10.00"),
    ],
)
def test_bets_read_and_write(text: str, typed: str) -> None:
    bets = read_bets(text, (1, 2), "perfect_pairs")
    assert bets_words(bets, (1, 2)) == typed
    assert read_bets(typed, (1, 2), "perfect_pairs") == bets


@pytest.mark.parametrize("text", ["x", "10 20", "3:10", "0:10", "1:10 1:20", "1:1O", "10+", "-5", "1:٣"])
def test_no_bets(text: str) -> None:
    with pytest.raises(BetError):
        read_bets(text, (1, 2), "perfect_pairs")


@pytest.mark.parametrize("text", ["", "hits", "s 1", "d five"])
def test_no_actions(text: str) -> None:
    with pytest.raises(TypedError):
        read_action(text)


# --- transcripts ------------------------------------------------------------------------------------------------


def typist(chance: random.Random, lines: int) -> Iterator[str]:
    """A player who types random input."""
    words = ("10", "20 +5", "1:8 2:12+4", *"hhhssddpppufkinn", "d 3", "i 2", "", "?", "x")
    return (chance.choice(words) for _ in range(lines))


def settled_net(folder: Path) -> int:
    """The results of the written rounds when replayed."""
    net = 0
    for file in sorted(folder.glob("round-*.prt")):
        replayed = replay(read(file.read_text("utf-8")))
        assert isinstance(replayed, Replay), (file, replayed)
        net += nets(replayed.transcript.players, replayed.state.settlements)["Player"]
    return net


@pytest.mark.parametrize("rulebook", NAMES)
@pytest.mark.parametrize("seed", range(2))
def test_whatever_is_typed_the_transcripts_settle_to_the_wallet(rulebook: str, seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    boxes = 1 if load(rulebook).boxes.alone_most else 1 + seed % 3
    table: dict[str, Any] = {"decks": 6, "boxes": boxes, "chips": 60_000, "limits": Limits(500, 50_000), "seed": seed}
    game, _ = session("", typist(chance, 900), rulebook, rounds=12, transcripts=tmp_path, **table)
    assert game.rounds == len(list(tmp_path.glob("round-*.prt"))) > 5
    held = sum(amount for account, amount in game.balances.items() if account.startswith(f"escrow/{ID}"))
    assert settled_net(tmp_path) == game.chips + held - 60_000
    assert sum(game.balances.values()) == 0
    assert game.chips >= 0


def test_transcripts_go_on_counting_and_overwrite_nothing(tmp_path: Path) -> None:
    (tmp_path / "round-0007.prt").write_text("mine")
    (tmp_path / "round-about.prt").write_text("mine")
    session("As 9d Kc As 9d Kc", "10/10/q", transcripts=tmp_path)
    assert sorted(file.name for file in tmp_path.iterdir()) == [
        "round-0007.prt",
        "round-0008.prt",
        "round-0009.prt",
        "round-about.prt",
    ]
    assert (tmp_path / "round-0007.prt").read_text() == "mine"


def test_a_transcript_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    game, shown = session("As 9d Kc", "10/q", transcripts=tmp_path / "gone")
    assert "round-0001.prt could not be written: No such file or directory" in shown
    assert game.rounds == 1


# --- sentences of events one person alone never meets -------------------------------------------------------------


def test_sentences_name_the_bettor_where_there_are_several() -> None:
    state = replay_of_three_bettors()
    assert said(state, e.SplitCovered(1, 1, "Bob", 500, ("9",))) == "Box 1: Bob covers the split with $5  [9]"
    assert said(state, e.WagerRode(1, 1, "Bob", 2, ())) == "Box 1: Bob rides hand 2 of the split"
    assert said(state, e.ControlPassed(1, "Bob", ("73",))) == "Box 1: Bob now makes the decisions  [73]"
    assert said(state, e.SplitBarred(1, ())).startswith("Box 1: the pair was not split")
    absent = e.PlayerWasAbsent(1, 1, "dealer", ())
    assert said(state, absent) == "Box 1: the player is absent; the dealer plays the hand"
    reduced = e.InsuranceReduced(1, "Bob", 1, "Ann", 100, 400, ())
    assert said(state, reduced) == "Box 1: Bob's insurance is cut to $1; $4 is returned"
    assert said(state, e.Doubled(1, 1, "Bob", 500, 2, ())) == "Box 1: Bob doubles with $5; the aces count 1"
    assert not said(state, e.RoundEnded(()))


def replay_of_three_bettors() -> Round:
    text = 'rulebook = "star"\ncards = "As 9d Kc"\n' + "".join(
        f'[[bets]]\nbox = 1\nplayer = "{name}"\nstake = "10"\n' for name in ("Ann", "Bob", "Cay")
    )
    replayed = replay(read(text))
    assert isinstance(replayed, Replay)
    return replayed.state


# --- the command ------------------------------------------------------------------------------------------------


def test_input_that_is_no_text_or_not_there_ends_nothing() -> None:
    command = [sys.executable, "-m", "pontoon", "play", "star"]
    done = subprocess.run(command, input=b"\xff\n", capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    done = subprocess.run(["sh", "-c", 'exec "$@" <&-', "sh", *command], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"Goodbye." in done.stdout


def test_the_menu_names_every_rulebook() -> None:
    shown = io.StringIO()
    assert asyncio.run(choose_rulebook(Console(io.StringIO("blackjack\n2\n"), shown))) == "star"
    assert all(f"  {name.ljust(11)}  " in shown.getvalue() for name in NAMES)
    assert "There is no rulebook 'blackjack'" in shown.getvalue()
    assert asyncio.run(choose_rulebook(Console(io.StringIO("Federal\n"), shown))) == "federal"
    assert asyncio.run(choose_rulebook(Console(io.StringIO("q\n"), shown))) == ""


def run(*arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pontoon", "play", *arguments]
    return subprocess.run(command, input=typed, capture_output=True, text=True, encoding="utf-8", check=False)


def test_the_command_plays_from_a_pipe_and_a_seed_repeats_it() -> None:
    first = run("star", "--seed", "7", typed="10\nn\ns\ns\nq\nq\n")
    assert (first.returncode, first.stderr) == (0, "")
    assert "Dealer: " in first.stdout
    assert first.stdout == run("star", "--seed", "7", typed="10\nn\ns\ns\nq\nq\n").stdout


@pytest.mark.parametrize("typed", ["", "q\n", "2\n", "star\nq\n"])
def test_the_command_asks_for_the_rulebook_and_leaves_quietly(typed: str) -> None:
    done = run(typed=typed)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Which rulebook?\n  1  division-15")


def test_script_and_transcripts_of_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script = tmp_path / "script.txt"
    script.write_text("10\nn\ns\nn\ns\nn\ns\nq\n")
    folder = tmp_path / "deep" / "rounds"
    with pytest.raises(SystemExit) as left:
        main(["play", "star", "--seed", "3", "--script", str(script), "--transcripts", str(folder), "--rounds", "1"])
    assert left.value.code == 0
    assert "Session: 1 round" in capsys.readouterr().out
    assert len(list(folder.glob("*.prt"))) == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["blackjack"], "no rulebook 'blackjack'"),
        (["star", "--decks", "7"], "--packs 7: star is played with 6, 8 packs"),
        (["star", "--boxes", "8"], "--boxes 8: choose 1 to 7 boxes"),
        (["adelaide", "--boxes", "2"], "alone at the table you may play 1 box, not 2  [19]"),
        (["star", "--stake", "ten"], "--stake: 'ten' is not a bet"),
        (["star", "--stake", ""], "there is no Pontoon wager"),
        (["star", "--wallet", "-5"], "'-5' is not an amount"),
        (["star", "--minimum", "10", "--maximum", "5"], "--minimum is above --maximum"),
        (["star", "--rounds", "-1"], "--rounds -1 is below zero"),
        (["star", "--side", "pairs_play"], "Pairs Play is not offered at this table  [STAR-PP-1]"),
        (["star", "--script", "/no/such/file"], "/no/such/file: No such file or directory"),
        (["star", "--transcripts", "/dev/null"], "/dev/null: File exists"),
        (["star", "--set", "split.max_hands=9"], "split.max_hands"),
    ],
)
def test_bad_arguments_are_one_line_and_status_2(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        main(["play", *arguments])
    out, error = capsys.readouterr()
    assert left.value.code == 2
    assert words in error
    assert error.count("\n") == 1
    assert out == ""


def test_unicode_needs_a_terminal_that_can_show_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("q\n"))
    with pytest.raises(SystemExit) as left:
        main(["play", "star", "--unicode", "--set", "split.max_hands=4"])
    assert left.value.code == 0
    assert "Changed rule: split.max_hands is 4, was 2" in capsys.readouterr().out
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), "ascii"))
    with pytest.raises(SystemExit) as left:
        main(["play", "star", "--unicode"])
    assert left.value.code == 2
