"""Binding the house to a shoe: the commitment before the cut, the reveal when the shoe is over (docs/fairness.md).

No document asks for it, so these events cite the clause that asks for a random shuffle.
"""

from __future__ import annotations

from pontoon.engine.refusals import Refusal, refuse
from pontoon.table.commands import CommitShoe, RevealShoe
from pontoon.table.events import ShoeCommitted, ShoeRevealed
from pontoon.table.flow import Flow
from pontoon.table.shuffle import seed_hash
from pontoon.table.state import Table


def refuse_commit(table: Table, _: CommitShoe) -> Refusal | None:
    """A shoe is committed once, after the shuffle and before the cut: the cut is the players' part."""
    if table.phase != "shuffled" or table.shoe.root:
        return refuse("not_to_commit", table.rules.table.shuffled, phase=table.phase)
    return None


def commit_shoe(flow: Flow, command: CommitShoe) -> None:
    """Publish hash and root."""
    flow.put(ShoeCommitted(flow.state.rules.table.shuffled, command.seed_hash, command.root))


def refuse_reveal(table: Table, command: RevealShoe) -> Refusal | None:
    """A seed is revealed when no card of its shoe will be dealt any more, and it must be the one committed."""
    clauses = table.rules.table.shuffled
    waiting = table.phase == "round" and table.due == "first"  # otherwise the round continues from this shoe
    over = waiting or (bool(table.due) and table.phase in ("ready", "preparing", "closed"))
    if not table.shoe.root or not over:
        return refuse("not_to_reveal", clauses, phase=table.phase)
    try:
        revealed = seed_hash(bytes.fromhex(command.seed))
    except ValueError:
        revealed = ""
    return None if revealed == table.shoe.seed_hash else refuse("wrong_seed", clauses)


def reveal_shoe(flow: Flow, command: RevealShoe) -> None:
    """Publish the seed."""
    flow.put(ShoeRevealed(flow.state.rules.table.shuffled, command.seed))
