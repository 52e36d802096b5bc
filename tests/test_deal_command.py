"""`pontoon deal`: what it writes settles to the same result, under every rulebook, with and without irregularities."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from pontoon.cli import main
from pontoon.rulebook import NAMES, load
from pontoon.table import fairness as shoe
from pontoon.table.fairness import verify
from pontoon.transcript import RefusedLine, nets, read, replay


def run(capsys, *arguments):
    with pytest.raises(SystemExit) as ended:
        main(["deal", *arguments])
    out, err = capsys.readouterr()
    return int(ended.value.code or 0), out, err


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("errors", [False, True], ids=["by the book", "with trouble"])
def test_every_round_written_settles_to_the_same_result(capsys, tmp_path, name, errors):
    arguments = [name, "--rounds", "40", "--boxes", "5", "--bots", "random,chart", "--out", str(tmp_path), "--json"]
    status, out, _ = run(capsys, *arguments, *(["--errors"] if errors else []))
    summary = json.loads(out)
    assert status == 0
    totals: Counter[str] = Counter()
    files = sorted(tmp_path.glob("*.prt"))
    assert len(files) == summary["rounds"] == 40
    for file in files:
        played = replay(read(file.read_text("utf-8")))
        assert not isinstance(played, RefusedLine), (file, played.line, played.refusal)
        totals.update(nets(played.transcript.players, played.state.settlements))
    assert {player: f"{net / 100:.2f}" for player, net in totals.items()} == summary["players"]
    assert f"{-sum(totals.values()) / 100:.2f}" == summary["house"]
    assert (summary["irregularities"] > 0) == (errors and load(name).irregular.exposed != "silent")


def test_the_answer_key_names_file_moment_and_clauses_of_every_error(capsys, tmp_path):
    _, out, _ = run(capsys, "adelaide", "--rounds", "60", "--boxes", "5", "--errors", "--out", str(tmp_path), "--json")
    answers = json.loads((tmp_path / "answers.json").read_text("utf-8"))
    assert len(answers) == json.loads(out)["irregularities"] > 3
    for answer in answers:
        played = replay(read((tmp_path / answer["file"]).read_text("utf-8")))
        assert not isinstance(played, RefusedLine)
        assert any(getattr(event, "clauses", ()) == tuple(answer["clauses"]) for event in played.events), answer
        assert 0 < answer["cards_out"] <= played.state.cards_used
        assert answer["words"]


@pytest.mark.parametrize("name", NAMES)
def test_every_shoe_of_a_manual_table_can_be_checked(capsys, tmp_path, name):
    run(capsys, name, "--rounds", "60", "--boxes", "7", "--out", str(tmp_path))
    shoes = sorted(tmp_path.glob("*.shoe.json"))
    assert len(shoes) > 2
    for file in shoes:
        checks = verify(shoe.read(file.read_bytes()))
        assert all(check.ok is not False for check in checks), (file, checks)
    assert all(check.ok for check in verify(shoe.read(shoes[0].read_bytes())))


@pytest.mark.parametrize("name", NAMES)
def test_every_device_of_a_document(capsys, name):
    for device in load(name).shoe.devices:
        status, out, _ = run(capsys, name, "--rounds", "30", "--boxes", "7", "--device", device)
        assert status == 0
        assert f"30 rounds of {name} from " in out.splitlines()[1]


def test_the_same_seed_deals_the_same_rounds(capsys, tmp_path):
    for folder in ("one", "two"):
        run(capsys, "star", "--rounds", "5", "--seed", "tuesday", "--out", str(tmp_path / folder))
    first, second = ([file.read_text("utf-8") for file in sorted((tmp_path / f).iterdir())] for f in ("one", "two"))
    assert first == second
    assert run(capsys, "star", "--rounds", "5", "--seed", "monday")[1] != run(capsys, "star", "--rounds", "5")[1]


def test_a_folder_with_rounds_in_it_is_left_alone(capsys, tmp_path):
    assert run(capsys, "star", "--rounds", "1", "--out", str(tmp_path))[0] == 0
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    status, out, err = run(capsys, "star", "--rounds", "2", "--seed", "x", "--out", str(tmp_path))
    assert (status, out) == (2, "")
    assert "this folder already contains rounds" in err
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["vegas"], "pontoon deal: argument RULEBOOK: no rulebook 'vegas'"),
        (["star", "--rounds", "0"], "pontoon: --rounds 0: choose a number from 1"),
        (["star", "--boxes", "8"], "pontoon: --boxes 8: choose a number from 1 to 7"),
        (["star", "--decks", "7"], "pontoon: --packs 7: this document allows 6, 8"),
        (["star", "--device", "drum"], "pontoon: --device drum: this document allows manual"),
        (["star", "--bots", "clever"], "pontoon: --bots clever: choose from chart, random, absent"),
        (["star", "--stake", "ten"], "pontoon: --stake 'ten': money is a decimal string"),
        (["star", "--stake", "0.01"], "pontoon: --stake 0.01: choose an even number of cents"),
        (["star", "--decks", "0"], "pontoon deal: argument --packs/--decks: '0' is not a number of packs"),
        (["star", "--seed", "a\nb"], "pontoon: --seed: use printable characters only"),
        (["star", "--set", "split.hands=3"], "pontoon: no option 'split.hands'"),
        (["star", "--out", "/dev/null/x"], "pontoon: /dev/null/x: "),
    ],
)
def test_bad_input_is_one_clear_line(capsys, arguments, words):
    status, out, err = run(capsys, *arguments)
    assert (status, out) == (2, "")
    assert err.startswith(words)
    assert err.count("\n") == 1
