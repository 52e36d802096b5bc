"""Limits of a sign in transcripts: read, refused with their clauses, written back; bets in their listed order."""

from __future__ import annotations

import pytest

from pontoon.engine import CallNoMoreBets, PlaceWager, TakeBack
from pontoon.table import commands as c
from pontoon.table.events import InRound
from pontoon.transcript import Replay, TranscriptError, read, replay, write
from tests.table.desk import Desk

ROUND = """rulebook = "canberra"
cards = "Kh 5c Kd Jd 4h"
actions = ["b2 stand"]
[options]
box_maximum = "15"
player_maximum = "12"
perfect_pairs_minimum = "5"
perfect_pairs_maximum = "50"
[[bets]]
box = 2
player = "Ann"
stake = "10"
perfect_pairs = "5"
"""
BOB = '[[bets]]\nbox = 2\nplayer = "Bob"\nstake = "6"\n'


def test_a_sign_is_read_and_written_back():
    done = replay(read(ROUND))
    assert isinstance(done, Replay)
    again = replay(read(write(done.rules, done.events, limits=done.transcript.limits)))
    assert isinstance(again, Replay)
    assert again.events == done.events
    assert again.transcript.limits == done.transcript.limits


def test_a_round_without_its_call_is_written_with_its_bets():
    desk = Desk("canberra").ready("Ann 2")
    desk.play(PlaceWager(2, "Ann", 1000))
    text = write(desk.table.rules, tuple(one.event for one in desk.events if isinstance(one, InRound)))
    assert [bet.player for bet in read(text).bets] == ["Ann"]


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        (ROUND.replace('pairs = "5"', 'pairs = "1"'), "bet 1", "18.7"),
        (ROUND.replace('pairs = "5"', 'pairs = "60"'), "bet 1", "18.7"),
        (ROUND + BOB, "bet 2", "box maximum"),
        (ROUND.replace('stake = "10"', 'stake = "14"'), "bet 1", "Ann may bet at most $12 on a box"),
        (ROUND.replace("perfect_pairs_minimum", "royal_minimum"), "options", "royal is no side bet"),
    ],
)
def test_what_is_outside_the_sign_is_refused(text, place, words):
    with pytest.raises(TranscriptError) as error:
        replay(read(text))
    assert str(error.value).startswith(place)
    assert words in str(error.value)


def test_15_3b_the_bets_of_a_written_round_stand_as_control_has_it():
    desk = Desk("division-15").ready("Ann 2", cards="9s 8h 9d 8c 9h 8d 9c 8s")
    desk.play(PlaceWager(2, "Dan", 5000), PlaceWager(2, "Eve", 1000), TakeBack(2, "Eve"), PlaceWager(2, "Ann", 2000))
    desk.do(c.Play(CallNoMoreBets()))
    desk.finish()
    events = [event.event for event in desk.events if isinstance(event, InRound)]
    done = replay(read(write(desk.table.rules, events)))
    assert isinstance(done, Replay)
    assert [bet.player for bet in done.transcript.bets] == ["Ann", "Dan"]
    assert [wager.player for box in done.state.boxes for wager in box.bettors] == ["Ann", "Dan"]
