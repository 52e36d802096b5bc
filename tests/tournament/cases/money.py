"""The pool and its use: 20.19 to 20.21, and the commission."""

from __future__ import annotations

from fractions import Fraction

from pontoon.money import Cents
from pontoon.tournament import commands as c
from pontoon.tournament.conditions import values as k
from pontoon.tournament.state import entrants
from tests.tournament.cases.sessions import AT_ONCE, BETWEEN, ONE_TABLE
from tests.tournament.desk import FINAL, SEED, case

THIRDS = (Fraction(1, 3),) * 3


@case('A "Tournament Commission" belongs to the operator and is kept apart from the pool')
def _(at):
    desk = at().entered("Ann Ben")
    assert (desk.books["commission/spring"], desk.state.commission) == (2000, 2000)
    free = at(money={"commission": Cents(0)}).entered("Ann Ben")
    assert free.money() == "pool 20000, Ann -10000, Ben -10000"


@case("20.19 the whole pool is paid, cents that cannot be divided by the stated rule")
def _(at):
    def paid(rule):
        money = {"fee": Cents(1001), "commission": Cents(1)}
        prizes = {"shares": THIRDS, "odd_cents": rule}
        desk = at(money=money, prizes=prizes).playing("Ann Ben Cas Dan Eve")
        return desk.end(Ann=130000, Ben=120000, Cas=110000).paid()

    assert paid("first") == {"Ann": 1668, "Ben": 1666, "Cas": 1666}
    assert paid("last") == {"Ann": 1666, "Ben": 1666, "Cas": 1668}
    assert paid("one_each") == {"Ann": 1667, "Ben": 1667, "Cas": 1666}


@case("20.19 equal players divide odd cents by the same rule, in the order they entered")
def _(at):
    def paid(rule):
        money = {"fee": Cents(1), "commission": Cents(0)}
        prizes = {"shares": (Fraction(1),), "odd_cents": rule}
        return at(money=money, prizes=prizes).playing("Ann Ben Cas Dan Eve").end(Dan=500, Eve=500).paid()

    assert paid("first") == {"Ann": 3, "Ben": 1, "Cas": 1}
    assert paid("last") == {"Ann": 1, "Ben": 1, "Cas": 3}
    assert paid("one_each") == {"Ann": 2, "Ben": 2, "Cas": 1}


@case("20.19 the share of a place nobody took goes to the others in proportion")
def _(at):
    desk = at().playing("Ann Ben")
    assert desk.end(Ann=130000).paid() == {"Ann": 11250, "Ben": 6750}


@case("20.19 equal players beyond the last prize share what is left of the list")
def _(at):
    desk = at().playing("Ann Ben Cas Dan Eve")
    assert desk.end(Ann=130000).paid() == {"Ann": 22500, "Ben": 5625, "Cas": 5625, "Dan": 5625, "Eve": 5625}


@case("20.19 20.3(a)(ii)(D) prizes of a session are shares of the same pool")
def _(at):
    heats = k.Session(name="Heats", rounds=1, advance=k.Advance(of_all=2), prizes=(Fraction(1, 10), Fraction(1, 10)))
    prizes = {"shares": (Fraction(1, 2), Fraction(3, 10))}
    desk = at(sessions=(heats, FINAL), prizes=prizes, players={"least": 3}).playing("Ann Ben Cas")
    desk.end(Ann=130000, Ben=120000).drawn()
    desk.do(c.Substitute("Ann", "Zoe", "ill", agreed=True))
    desk.seated().end(Zoe=110000)
    assert desk.paid() == {"Zoe": 13500, "Ben": 8100 + 2700, "Ann": 2700}
    assert [(payment.number, payment.session, payment.place) for payment in desk.state.payments] == [
        (1, 0, 1),
        (2, 0, 2),
        (3, 1, 1),
        (4, 1, 2),
    ]


@case("20.19 who was ruled out wins no prize of an earlier session either")
def _(at):
    heats = k.Session(name="Heats", rounds=1, advance=k.Advance(of_all=2), prizes=(Fraction(1, 5),))
    prizes = {"shares": (Fraction(4, 5),)}
    desk = at(sessions=(heats, FINAL), prizes=prizes, players={"least": 3}).playing("Ann Ben Cas")
    desk.end(Ann=130000, Ben=120000)
    desk.do(c.Disqualify("Ann", "a brawl", "20.17"))
    assert desk.paid() == {"Ben": 21600 + 5400}


@case("20.19 odd cents for the last placed go to the last of the tournament's own list, not of a session's")
def _(at):
    heats = k.Session(name="Heats", rounds=1, advance=k.Advance(of_all=2), prizes=(Fraction(1, 3),))
    money = {"fee": Cents(1001), "commission": Cents(1), "added": Cents(2)}
    prizes = {"shares": (Fraction(1, 3), Fraction(1, 3)), "odd_cents": "last"}
    desk = at(sessions=(heats, FINAL), players={"least": 3}, prizes=prizes, money=money).playing("Ann Ben Cas")
    desk.end(Ann=130000, Ben=120000).drawn().seated().end(Ann=120000)
    desk.paid()
    assert [(payment.player, payment.amount, payment.session) for payment in desk.state.payments] == [
        ("Ann", 1000, 0),
        ("Ben", 1002, 0),
        ("Ann", 1000, 1),
    ]


@case("20.19 20.18 somebody who gave up the place can still be ruled out, and wins no prize of an earlier session")
def _(at):
    def heats():
        one = k.Session(name="Heats", rounds=1, advance=k.Advance(of_all=2), prizes=(Fraction(1, 5),))
        desk = at(sessions=(one, FINAL), prizes={"shares": (Fraction(4, 5),)}, players={"least": 3})
        return desk.playing("Ann Ben Cas").end(Ann=130000, Ben=120000)

    ill, late = heats(), heats().drawn().seated(absent="Ann")
    ill.do(c.Substitute("Ann", "Zoe", "ill", agreed=True))
    for desk in (ill, late):
        desk.do(c.Disqualify("Ann", "cheated in the heats", "20.13"))
    assert late.end().paid() == {"Ben": 27000}
    assert entrants(ill.state) == 3
    assert ill.drawn().seated().end(Ben=110000).paid() == {"Ben": 27000}
    at().playing("Ann Ben Cas", absent="Ann").no(c.Disqualify("Ann", "late", "20.9"), "not_in", "20.18")


@case("20.19 each place is paid once")
def _(at):
    desk = at().playing("Ann Ben Cas")
    desk.end(Ann=130000, Ben=120000).then(c.AwardPlaces(), "PlacesAwarded", "20.18", "20.19")
    desk.no(c.AwardPlaces(), "no_result", "20.18")
    for wrong in (0, 4):
        desk.no(c.PayPrize(wrong), "no_such_payment", "20.19")
    desk.then(c.PayPrize(2), "PrizePaid", "20.19", "20.20")
    desk.no(c.PayPrize(2), "paid_already", "20.19")
    desk.do(c.PayPrize(1))
    assert desk.books["pool/spring"] == 5400
    desk.then(c.PayPrize(3), "PrizePaid Completed", "20.19")
    desk.no(c.PayPrize(3), "paid_already", "20.19")
    assert (desk.state.phase, desk.books["pool/spring"]) == ("over", 0)


@case("20.19 a pool with nothing in it is complete at once")
def _(at):
    money = {"fee": Cents(0), "commission": Cents(0), "added": Cents(1)}
    prizes = {"shares": (Fraction(1, 2), Fraction(1, 2))}
    desk = at(money=money, prizes=prizes).playing("Ann Ben")
    desk.end(Ann=130000)
    assert desk.paid() == {"Ann": 1}


@case("20.20 fees less commission, and what the casino adds, are the prize money")
def _(at):
    desk = at(money={"added": Cents(5000)}, buy_back=AT_ONCE, sessions=(k.Session(name="Final", rounds=3),))
    desk.playing("Ann Ben Cas")
    desk.round(Ann=0)
    desk.do(c.BuyBack("Ann"))
    assert desk.money() == "commission 3500, house -5000, pool 36500, Ann -15000, Ben -10000, Cas -10000"
    desk.end(Ann=0, Ben=120000)
    (awarded,) = desk.do(c.AwardPlaces())
    assert awarded.pool == 36500 == sum(payment.amount for payment in awarded.payments)
    desk.do(*(c.PayPrize(number) for number in (1, 2, 3)))
    assert (desk.books["commission/spring"], desk.books["house"]) == (3500, -5000)


@case("20.21 cancelled: every fee and commission goes back in full, whenever it was paid")
def _(at):
    players = {"most": 3, "least": 3, "reserves": 1}
    desk = at(players=players, buy_back=BETWEEN, sessions=ONE_TABLE, money={"added": Cents(700), "carried": True})
    desk.entered("Ann Ben Cas Dan").drawn()
    desk.do(c.OfferSeat("Ann", "Dan"))
    desk.seated().end(Ben=130000, Cas=120000)
    desk.do(c.BuyBack("Dan"))
    (gone,) = desk.then(c.Cancel("storm"), "Cancelled", "20.21")
    assert gone.refunds == (("Ann", 10000, 1000), ("Ben", 10000, 1000), ("Cas", 10000, 1000), ("Dan", 15000, 1500))
    assert (gone.added, gone.reason, desk.money()) == (700, "storm", "")
    assert not any(desk.books.values())
    desk.no(c.Cancel("again"), "tournament_over", "20.21")
    desk.no(c.Enter("Zoe", agreed=True), "entries_closed", "20.3(a)(i)")
    desk.no(c.PublishConditions("patrons"), "tournament_over", "20.2")
    desk.no(c.PayPrize(1), "places_not_awarded", "20.18")
    desk.do(c.RevealBallot(SEED))


@case("20.21 a tournament cancelled before its first entry stays cancelled")
def _(at):
    desk = at()
    desk.do(c.Cancel("storm"))
    desk.no(c.CommitBallot("0" * 64), "tournament_over", "20.7")
    desk.no(c.Enter("Ann", agreed=True), "entries_closed", "20.3(a)(i)")
    desk.no(c.RevealBallot(SEED), "ballots_to_come", "20.7")


@case("20.21 in the middle of a session, with a tie open, and when places are awarded")
def _(at):
    playing = at().playing("Ann Ben")
    tied = at(ties={"final": "extra_rounds"}).playing("Ann Ben").end()
    awarded = at().playing("Ann Ben").end(Ann=110000)
    awarded.do(c.AwardPlaces())
    for desk in (playing, tied, awarded):
        desk.do(c.Cancel("storm"))
        assert not any(desk.books.values())
        assert desk.state.phase == "cancelled"


@case("20.21 not once a prize is paid: the pool is not all there any more")
def _(at):
    desk = at().playing("Ann Ben")
    desk.end(Ann=110000).do(c.AwardPlaces(), c.PayPrize(1))
    desk.no(c.Cancel("regret"), "prizes_paid", "20.21")
    desk.do(c.PayPrize(2))
    desk.no(c.Cancel("regret"), "prizes_paid", "20.21")


@case("20.21 fees are not refunded otherwise: a player who forfeits or is ruled out has paid")
def _(at):
    desk = at().playing("Ann Ben Cas", absent="Ann")
    desk.do(c.Disqualify("Ben", "a brawl", "20.17"))
    desk.end()
    assert desk.paid() == {"Cas": 27000}
    assert desk.money() == "commission 3000, Ann -10000, Ben -10000, Cas 17000"


def with_session_prizes(at, **more):
    """Heats with a fifth of the pool, awarded when they end; a final with the rest."""
    heats = k.Session(name="Heats", rounds=1, advance=k.Advance(of_all=2), prizes=(Fraction(1, 8), Fraction(1, 8)))
    prizes = {"shares": (Fraction(1, 2), Fraction(1, 4)), "sessions_paid": "session"}
    return at(sessions=(heats, FINAL), prizes=prizes, players={"least": 3}, **more)


@case("20.3(a)(ii)(D) a session's prizes are awarded at its end and can be paid before the next session")
def _(at):
    desk = with_session_prizes(at).playing("Ann Ben Cas").end_tables(Ann=130000, Ben=120000)
    desk.no(c.PayPrize(1), "places_not_awarded", "20.18")
    desk.then(c.EndSession(), "SessionEnded Eliminated SessionPrizesAwarded", "20.3(a)(ii)(D)", "20.18")
    assert [(payment.player, payment.amount, payment.session) for payment in desk.state.payments] == [
        ("Ann", 3375, 1),
        ("Ben", 3375, 1),
    ]
    desk.then(c.PayPrize(1), "PrizePaid", "20.19", "20.20")
    assert desk.books["pool/spring"] == 27000 - 3375
    desk.no(c.PayPrize(1), "paid_already", "20.19")
    desk.do(c.Disqualify("Ben", "a brawl", "20.17"))  # the prize stays awarded
    desk.do(c.AwardPlaces())
    assert [(payment.number, payment.player, payment.amount) for payment in desk.state.payments] == [
        (1, "Ann", 3375),
        (2, "Ben", 3375),
        (3, "Ann", 13500),
        (4, "Cas", 6750),
    ]
    desk.do(c.PayPrize(3))
    desk.do(c.PayPrize(4))
    desk.then(c.PayPrize(2), "PrizePaid Completed", "20.19")
    assert desk.books["pool/spring"] == 0


@case("20.3(a)(ii)(D) 20.3(a)(ii)(F) what buy-backs add later goes to later prizes")
def _(at):
    desk = with_session_prizes(at, buy_back=BETWEEN).playing("Ann Ben Cas").end(Ann=130000, Ben=120000)
    fee = desk.state.conditions.buy_back
    desk.do(c.BuyBack("Cas"))
    desk.drawn().seated().end(Ann=120000, Ben=110000).do(c.AwardPlaces())
    assert [payment.amount for payment in desk.state.payments[:2]] == [3375, 3375]
    assert sum(payment.amount for payment in desk.state.payments[2:]) == 27000 + fee.fee - fee.commission - 6750


@case("20.21 a tournament is cancelled after a session prize was paid: every fee goes back, and the prize stays paid")
def _(at):
    desk = with_session_prizes(at).playing("Ann Ben Cas").end(Ann=130000, Ben=120000)
    desk.do(c.PayPrize(2))
    desk.then(c.Cancel("a power cut"), "Cancelled", "20.21")
    desk.no(c.PayPrize(1), "places_not_awarded", "20.18")
    assert desk.money() == "house -3375, Ben 3375"


@case("20.18 20.3(a)(ii)(D) a prize awarded at the end of its session is not a reason to rule somebody out later")
def _(at):
    desk = with_session_prizes(at).playing("Ann Ben Cas").end(Ann=130000, Ben=120000)
    desk.do(c.Substitute("Ann", "Zoe", "ill", agreed=True))
    desk.no(c.Disqualify("Ann", "cheated in the heats", "20.13"), "not_in", "20.18")
