"""`pontoon tournament check` and `conditions` as a person and as a program use them."""

import io
import json
import sys
from pathlib import Path

import pytest

from pontoon.cli import main
from pontoon.tournament.conditions import document, load

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "tournaments"
FILES = [
    EXAMPLES / f"{name}.toml" for name in ("spring-knock-out", "winter-points", "friday-sit-and-go", "canberra-masters")
]
SPRING = FILES[0]


@pytest.fixture
def pontoon(capsys):
    """Run `pontoon tournament ...`: exit status, standard output, standard error."""

    def run(*arguments):
        with pytest.raises(SystemExit) as caught:
            main(["tournament", *map(str, arguments)])
        printed = capsys.readouterr()
        return caught.value.code, printed.out, printed.err

    return run


@pytest.fixture
def faulty(tmp_path):
    """Conditions with two faults, and with no clean reading at all."""
    text = SPRING.read_text("utf-8")
    file = tmp_path / "faulty.toml"
    file.write_text(text.replace("packs = 8", "packs = 2").replace('"10%"]', '"9%"]'), encoding="utf-8")
    return file


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_an_example_is_in_order(pontoon, file):
    digest = load.digest(load.read(file.read_text("utf-8"), file.name))
    assert pontoon("check", file) == (0, f"{file}: in order\ndigest {digest}\n", "")


def test_all_faults_are_listed_with_their_clauses(pontoon, faulty):
    status, out, err = pontoon("check", faulty)
    assert (status, err) == (1, "")
    first, *rows = out.splitlines()
    assert first == f"{faulty}: 2 faults"
    assert [row.split()[0] for row in rows] == ["20.1", "20.19"]


def test_faults_for_programs(pontoon, faulty):
    status, out, _ = pontoon("check", "--json", faulty)
    data = json.loads(out)
    assert (status, data["in_order"], data["digest"], data["file"]) == (1, False, None, str(faulty))
    assert [fault["clause"] for fault in data["faults"]] == ["20.1", "20.19"]
    assert all(fault["words"] for fault in data["faults"])


def test_in_order_for_programs(pontoon):
    status, out, _ = pontoon("check", "--json", SPRING)
    data = json.loads(out)
    assert (status, data["in_order"], data["faults"]) == (0, True, [])
    assert data["digest"] == load.digest(load.read(SPRING.read_text("utf-8"), ""))


def test_what_cannot_be_read_as_values_is_a_fault_too(pontoon, tmp_path):
    file = tmp_path / "bare.toml"
    file.write_text('name = "Bare"', encoding="utf-8")
    status, out, err = pontoon("check", file)
    assert (status, err) == (1, "")
    assert "start.at is missing; it is written as in at = 2026-12-05T19:00:00" in out


def test_one_fault_is_one(pontoon, tmp_path):
    file = tmp_path / "one.toml"
    file.write_text(SPRING.read_text("utf-8").replace("packs = 8", "packs = 2"), encoding="utf-8")
    assert pontoon("check", file)[1].startswith(f"{file}: 1 fault\n")


@pytest.mark.parametrize("what", ["check", "conditions"])
@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "No such file or directory"),
        (b"name = ", "not TOML"),
        (b"\xff\xfe\x00", "not a text in UTF-8"),
        (b"# " + b"x" * load.LARGEST, "256 KiB"),
        (b"a = " + b"[" * 20_000, "not TOML"),
    ],
    ids=["missing", "no-toml", "no-text", "huge", "nested"],
)
def test_unreadable_is_one_line_and_2(pontoon, tmp_path, what, content, words):
    file = tmp_path / "bad.toml"
    if content is not None:
        file.write_bytes(content)
    status, out, err = pontoon(what, file)
    assert (status, out) == (2, "")
    assert err.startswith(f"pontoon: {file}: ")
    assert words in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("what", ["check", "conditions"])
def test_a_name_no_file_can_have(pontoon, what):
    status, out, err = pontoon(what, "a\x00b")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "\x00" not in err


def test_standard_input(pontoon, monkeypatch):
    class Input:
        buffer = io.BytesIO(SPRING.read_bytes())

    monkeypatch.setattr(sys, "stdin", Input)
    assert pontoon("check", "-")[1].startswith("-: in order\n")


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_paper_is_printed(pontoon, file):
    conditions = load.read(file.read_text("utf-8"), file.name)
    assert pontoon("conditions", file) == (0, "\n".join(document.lines(conditions)) + "\n", "")


def test_faulty_conditions_are_not_printed(pontoon, faulty):
    status, out, err = pontoon("conditions", faulty)
    assert (status, out) == (1, "")
    assert err == f"pontoon: {faulty}: 2 packs are not allowed by rule 2.1, only 3 to 8 [20.1]\n"


def test_the_paper_as_a_page(pontoon, tmp_path):
    page = tmp_path / "spring.html"
    assert pontoon("conditions", SPRING, "--html", page) == (0, f"{page}\n", "")
    text = page.read_text("utf-8")
    assert text.startswith("<!doctype html>")
    assert "<h1>Spring Knock-out: tournament conditions</h1>" in text


def test_a_page_that_cannot_be_written(pontoon, tmp_path):
    status, out, err = pontoon("conditions", SPRING, "--html", tmp_path)
    assert (status, out, err.count("\n")) == (2, "", 1)


def test_the_paper_as_markdown(pontoon):
    status, out, _ = pontoon("conditions", SPRING, "--markdown")
    assert status == 0
    assert out.startswith("# Spring Knock-out: tournament conditions\n\n## 1. About this document\n")
    assert "| 1st place | $700.00 | $1,400.00 | $2,100.00 |" in out


def test_the_paper_for_programs(pontoon):
    status, out, _ = pontoon("conditions", SPRING, "--json")
    data = json.loads(out)
    assert status == 0
    assert set(data) == {"digest", "conditions", "paper"}
    assert data["conditions"]["money"] == {
        "fee": "110.00",
        "commission": "10.00",
        "added": "0.00",
        "chips": "1000.00",
        "carried": False,
    }
    assert data["conditions"]["session"][0]["advance"] == {"from_table": 1, "best_of_rest": 1, "of_all": 0}
    assert data["conditions"]["prizes"]["shares"] == ["1/2", "1/4", "3/20", "1/10"]
    assert data["paper"]["sections"][1]["parts"][0]["clause"] == "20.3(a)(i)"


@pytest.mark.parametrize(
    "arguments",
    [(), ("dance",), ("check",), ("conditions", SPRING, "--json", "--markdown"), ("check", SPRING, SPRING)],
    ids=str,
)
def test_misuse_is_one_line_and_2(pontoon, arguments):
    status, out, err = pontoon(*arguments)
    assert (status, out, err.count("\n")) == (2, "", 1)


@pytest.mark.parametrize("what", [(), ("check",), ("conditions",), ("run",)], ids=str)
def test_help_has_examples(pontoon, what):
    status, out, _ = pontoon(*what, "--help")
    assert status == 0
    assert "Examples:\n  pontoon tournament " in out
