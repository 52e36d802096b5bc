"""The benches run and say what they promise; how fast they are is no test's business."""

import json
import os

import pytest

from bench import command, engine
from pontoon.engine import Round
from pontoon.rulebook import NAMES, load

FAST = ["--seconds", "0.05"]


def told(capsys, *arguments):
    status = engine.main([*FAST, "--json", *arguments])
    return status, json.loads(capsys.readouterr().out)


def test_the_engine_bench_measures_us_twice_and_audits_every_round(capsys):
    status, found = told(capsys, "--peers", "none")
    assert status == 0
    assert found["rulebook"] == "division-15"
    plain, asking = found["rows"]
    assert (plain["name"], plain["ratio"]) == ("pontoon21", 1.0)
    assert asking["name"] == "pontoon21 + options"
    for row in (plain, asking):
        assert len(row["repetitions"]) == 3
        assert row["rounds_per_second"] in row["repetitions"]
        assert row["rounds_per_second"] > 0
    assert "without a clause" in plain["note"]
    assert "refusal checks" in asking["note"]
    audit = found["audit"]
    assert audit["rounds"] >= engine.BATCH
    assert audit["events_per_round"] > 8
    assert audit["events_without_clause"] == audit["rounds_not_ended"] == audit["chips_left_on_the_layout"] == 0
    assert audit["players_net"] == audit["timed_players_net"] == -audit["house_net"]
    assert audit["faults"] == []


@pytest.mark.parametrize("rulebook", NAMES)
def test_the_chart_is_lawful_in_every_rulebook_and_uses_every_decision(rulebook):
    rules = load(rulebook)
    timed = engine.Ours(rules, 1, asks=True)
    timed.play(1500)
    assert timed.checks > timed.rounds
    assert engine.audit(rules, 1, timed).faults == []
    shoe, new = engine.Shoe(1), Round(rules)
    kinds = {type(event).__name__ for _ in range(1500) for event in engine.play_round(new, shoe, engine.chart)[1]}
    assert {"CardCalled", "Stood", "Doubled", "SplitMade", "Surrendered", "OfferClosed"} <= kinds


def test_a_missing_peer_is_a_line_and_not_a_traceback(capsys, monkeypatch):
    def missing(name):
        raise ModuleNotFoundError(name)

    monkeypatch.setattr(engine, "import_module", missing)
    assert engine.main([*FAST, "--peers", "pokerkit,gymnasium"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert sum("not installed (pip install pontoon21[bench])" in line for line in lines) == 2


def test_an_event_without_a_clause_fails_the_bench(capsys, monkeypatch):
    original = engine.audit

    def spoilt(*arguments):
        found = original(*arguments)
        found.events_without_clause = 2
        return found

    monkeypatch.setattr(engine, "audit", spoilt)
    assert engine.main([*FAST, "--peers", "none"]) == 1
    assert "FAULT: 2 events without a clause" in capsys.readouterr().out


def test_each_fault_of_an_audit_is_said():
    found = engine.Audit(1, 1, 1, 1, 5, players_net=3, house_net=-2, timed_players_net=4)
    assert len(found.faults) == 5
    assert engine.Audit(1, 1, players_net=3, house_net=-3, timed_players_net=3).faults == []


@pytest.mark.parametrize("arguments", [["--peers", "nobody"], ["--seconds", "0"], ["--rulebook", "vegas"]])
def test_a_wrong_argument_is_refused(arguments, capsys):
    with pytest.raises(SystemExit) as refused:
        engine.main(arguments)
    assert refused.value.code == 2
    assert arguments[0] in capsys.readouterr().err


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="this system does not pin processes to cores")
def test_the_bench_gives_back_the_cores_it_did_not_use(capsys):
    before = os.sched_getaffinity(0)
    told(capsys, "--peers", "none")
    assert os.sched_getaffinity(0) == before


def test_the_command_bench_writes_the_same_log_every_time():
    first, again = (command.once("memory", "star", command.BLOCK) for _ in range(2))
    assert first["log"] == again["log"]
    assert len(first["blocks"]) == 1
    assert first["entries"] > 1
    assert set(first["refused"]) <= {"forced_draw"}
