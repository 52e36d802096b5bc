"""The list of mistakes at the end of a session: the worst first, each with its cost and the reason."""

from __future__ import annotations

from collections.abc import Sequence

from pontoon.server.coach.round_review import Mistake
from pontoon.view.catalogue.formats import money

MOST_SHOWN = 10


def mistake_lines(found: Sequence[Mistake] | None) -> list[str]:
    """The mistakes as lines; None says that there is no coach.

    >>> slip = Mistake(1, ("Ks", "6h"), "6d", "16 against a 6", "Hard totals", "hit", "stand", 312.4, "Wait.", "")
    >>> mistake_lines([slip])
    ['1 mistake cost $3.12 on average:', '  $3.12  16 against a 6: hit, better stand. Wait.']
    """
    if found is None:
        return ["Your mistakes are listed here with numpy and numba: pip install 'pontoon21[fast]'"]
    if not found:
        return ["No mistakes: every decision was the best play."]
    worst = sorted(found, key=lambda mistake: -mistake.cents)
    cost = money(round(sum(mistake.cents for mistake in worst)))
    lines = [f"{len(worst)} mistake{'' if len(worst) == 1 else 's'} cost {cost} on average:"]
    lines += [
        f"  {money(round(mistake.cents))}  {mistake.words}: {mistake.chosen}, better {mistake.best}. {mistake.why}"
        for mistake in worst[:MOST_SHOWN]
    ]
    more = worst[MOST_SHOWN:]
    return lines + (
        [f"  and {len(more)} smaller: {money(round(sum(mistake.cents for mistake in more)))}"] if more else []
    )
