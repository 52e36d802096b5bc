"""`pontoon report`: a self-contained page, its pictures, and one clear line if it cannot be written."""

from __future__ import annotations

import json
import re
from functools import partial
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest

from pontoon.analysis import whatif
from pontoon.analysis.charts import chart
from pontoon.cli import main
from pontoon.rulebook import NAMES, load
from pontoon.view.reports import figures
from pontoon.view.reports.parts import Bar, bars, edge_lines, log_bars, signed, spread, steps

FEW = ("payout.five_cards",)
VOID = {"meta", "br", "img", "link", "hr", "input"}
PNG = b"\x89PNG\r\n\x1a\n"


class Page(HTMLParser):
    """Parses a page, checks that every tag is closed, and records the elements."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.tags: set[str] = set()
        self.words: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        found = dict(attrs)
        self.ids += [found["id"]] if "id" in found else []
        self.links += [found[name] for name in ("href", "src", "xlink:href") if name in found]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):  # noqa: ARG002 the parser's own name
        self.tags.add(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)


def run(capsys, *arguments):
    with pytest.raises(SystemExit) as ended:
        main(["report", *arguments])
    out, err = capsys.readouterr()
    return int(ended.value.code or 0), out, err


def alone(text: str) -> Page:
    """Check that a page parses and loads nothing."""
    page = Page(text)
    assert page.open == []
    assert not page.tags & {"script", "link", "iframe", "object", "embed", "img"}
    assert all(link.startswith("#") and link[1:] in page.ids for link in page.links)
    assert set(re.findall(r"https?://[^\"' )<]*", text)) <= {"http://www.w3.org/2000/svg"}
    assert "@import" not in text
    assert "url(" not in text
    return page


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """A report on one rulebook with a few changed rules."""
    folder = tmp_path_factory.mktemp("report") / "new" / "folder"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(whatif, "what_if", partial(whatif.what_if, keys=FEW))
        patch.setattr(whatif, "ambiguities", lambda *_: ())
        patch.setattr(chart, "ROUNDS", 1)
        said: list[str] = []
        patch.setattr("builtins.print", lambda *words, **_: said.append(" ".join(map(str, words))))
        with pytest.raises(SystemExit) as ended:
            main(["report", "federal", "--decks", "6", "--stake", "25", "--out", str(folder), "--json"])
    assert not ended.value.code
    return folder, json.loads(said[-1])


def test_the_page_parses_and_needs_nothing_else(report):
    folder, _ = report
    text = (folder / "report.html").read_text("utf-8")
    page = alone(text)
    assert "federal" in page.ids
    words = " ".join(page.words)
    for title in ("House edge by packs", "Best chart", "first card", "How a wager ends", "What each rule is worth"):
        assert title in words
    for title in ("The price of ambiguities", "Side wagers and insurance"):
        assert title in words
    assert "pontoon report federal --packs 6 --stake 25" in words
    assert "$25" in words
    assert str(folder) not in text


def test_every_square_of_the_chart_has_its_margin(report):
    text = (report[0] / "report.html").read_text("utf-8")
    square = r'<td style="background-color:#[0-9a-f]{6}" title="[^"]+">[^<]+<small>[\d.]+</small>'
    assert len(re.findall(square, text)) > 200


def test_the_pictures_lie_beside_it(report):
    folder, data = report
    assert sorted(data["files"]) == sorted(file.name for file in folder.iterdir())
    assert {"edges.png", "federal-chart.png", "federal-payouts.png", "federal-rules.png"} <= set(data["files"])
    for name in data["files"]:
        if name.endswith(".png"):
            assert (folder / name).read_bytes().startswith(PNG)


def test_the_figures_as_json(report):
    _, data = report
    assert set(data) == {"folder", "files", "stake", "rulebooks", "seconds"}
    (book,) = data["rulebooks"]
    assert (book["rulebook"], book["decks"], book["stake"], book["overrides"]) == ("federal", 6, "25.00", {})
    assert book["ev"] == -book["house_edge"]
    assert set(book["house_edge_by_decks"]) == {"6", "8"}
    assert book["house_edge_by_decks"]["6"] == pytest.approx(book["house_edge"], abs=1e-9)
    assert book["chart"]["ev_optimal"] == pytest.approx(book["ev"], abs=1e-7)
    assert 0 <= book["chart"]["cost"] < 0.001
    assert len(book["ev_by_upcard"]) == 12
    assert {row["key"] for row in book["whatif"]} == set(FEW)
    assert {"key", "value", "was", "worth", "clauses"} == set(book["whatif"][0])
    assert book["side"][0]["name"].startswith("Insurance")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["vegas"], "pontoon report: argument RULEBOOK: no rulebook 'vegas'"),
        (["star", "canberra", "--decks", "4"], "pontoon: star: --packs 4: this document allows 6, 8"),
        (["star", "--set", "split.hands=1"], "pontoon: star: no option 'split.hands'"),
        (["star", "--stake", "none"], "pontoon report: argument --stake: 'none' is not a stake"),
        (["star", "--out", "{file}/folder"], "pontoon: cannot write"),
        (["star", "--out", "{file}"], "pontoon: cannot write"),
        (["star", "--out", "a\0b"], "pontoon: cannot write"),
    ],
)
def test_bad_input_is_one_clear_line_at_once(capsys, tmp_path, arguments, words):
    file = tmp_path / "file"
    file.touch()
    status, out, err = run(capsys, *(argument.replace("{file}", str(file)) for argument in arguments))
    assert (status, out) == (2, "")
    assert err.startswith(words)
    assert err.count("\n") == 1


def test_a_page_that_cannot_be_written_is_said_at_once(capsys, tmp_path):
    (tmp_path / "report.html").mkdir()
    status, _, err = run(capsys, "star", "--out", str(tmp_path))
    assert status == 2
    assert err.startswith("pontoon: cannot write")


# --- parts ---------------------------------------------------------------------------------------------


def test_bars_lie_within_their_track():
    text = bars([signed("up", 0.02), signed("down <b>", -0.01, "note"), signed("still", 0.0)])
    places = [(float(left), float(width)) for left, width in re.findall(r"left:([\d.]+)%;width:([\d.]+)%", text)]
    assert places == [(33.33, 66.67), (0.0, 33.33)]
    assert "down &lt;b&gt;" in text


def test_chances_on_a_scale_of_tens():
    rows = [Bar("often", 0.1, "10%"), Bar("rare", 1e-4, "1 in 10,000"), Bar("never", 0.0, "never")]
    widths = [float(match) for match in re.findall(r"width:([\d.]+)%", log_bars(rows))]
    assert widths == [75.0]


@pytest.mark.parametrize("values", [[0.0], [1.0, 1.0, 1.0], [5.0, 0.0, 5.1, 4.9, 30.0]])
def test_labels_are_spread_in_order_and_apart(values):
    moved = spread(values, 2.0)
    pairs = sorted(zip(values, moved, strict=True))
    assert [one for _, one in pairs] == sorted(moved)
    assert all(later - earlier > 2.0 - 1e-9 for (_, earlier), (_, later) in pairwise(pairs))


@pytest.mark.parametrize(("low", "high"), [(0.0023, 0.0062), (0.004, 0.004), (-0.001, 0.002), (0.0041, 0.00411)])
def test_an_axis_holds_its_values_with_few_steps(low, high):
    ticks = steps(low, high)
    assert ticks[0] <= low + 1e-12
    assert ticks[-1] >= high - 1e-12
    assert 2 <= len(ticks) <= 8


def test_a_single_number_of_packs_can_be_drawn():
    series = {"a": {6: 0.004}, "b": {6: 0.004}}
    assert alone(edge_lines(series)).tags >= {"svg", "path", "circle", "text"}
    assert figures.edges(series, "title", "about").startswith(PNG)


# --- longer --------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_all_five_rulebooks(capsys, tmp_path):
    status, out, _ = run(capsys, "--out", str(tmp_path))
    assert status == 0
    page = alone((tmp_path / "report.html").read_text("utf-8"))
    assert set(NAMES) <= set(page.ids)
    assert Path(out.splitlines()[0]).name == "report.html"
    for name in NAMES:
        assert load(name).about.place in " ".join(page.words)
        assert (tmp_path / f"{name}-chart.png").exists()
