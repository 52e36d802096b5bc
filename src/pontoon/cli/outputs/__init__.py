"""The shape of every `--json` output, as structs; tools/schemas.py makes the JSON Schemas of the package from them.

`OUTPUTS` is the only list: `pontoon schema`, the schemas, their page on the site and the tests follow from it. A schema
has a version: a key that is added keeps it, a key that is renamed, removed or changes its type raises it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from pontoon.cli.outputs import administration, analysis, server, simulation, table


class Output(NamedTuple):
    """The JSON that a command prints."""

    type: Any
    example: str
    """A command line that prints it."""
    version: int = 1


OUTPUTS: dict[str, Output] = {
    "edge": Output(analysis.EdgeOutput, "pontoon edge star"),
    "edge-all": Output(analysis.EdgesOutput, "pontoon edge --all"),
    "edge-strategy": Output(analysis.EdgeOfStrategyOutput, "pontoon edge star --strategy chart"),
    "ev": Output(analysis.EvOutput, "pontoon ev star --hand 88 --dealer 10"),
    "chart": Output(analysis.ChartOutput, "pontoon chart star"),
    "side": Output(analysis.SideOutput, "pontoon side canberra"),
    "whatif": Output(analysis.WhatIfOutput, "pontoon whatif star"),
    "count": Output(analysis.CountOutput, "pontoon count star --tags hi-lo"),
    "bet": Output(analysis.BetOutput, "pontoon bet star --tags hi-lo --bankroll 10000 --spread 1-12"),
    "compare": Output(analysis.CompareOutput, "pontoon compare star canberra"),
    "sweep": Output(analysis.SweepOutput, "pontoon sweep star --vary packs=6,8"),
    "strategy": Output(analysis.StrategyOutput, "pontoon strategy star"),
    "report": Output(analysis.ReportOutput, "pontoon report star"),
    "simulate": Output(simulation.SimulateOutput, "pontoon simulate star --rounds 1e6"),
    "risk": Output(simulation.RiskOutput, "pontoon risk star --bankroll 500 --rounds 1e6"),
    "shoe": Output(simulation.ShoeOutput, "pontoon shoe star --rounds 1e6"),
    "habits": Output(simulation.HabitsOutput, "pontoon habits star --rounds 1e6"),
    "settle": Output(table.SettleOutput, "pontoon settle examples/super-bonus.prt"),
    "deal": Output(table.DealOutput, "pontoon deal star --rounds 3"),
    "rule": Output(table.RuleOutput, "pontoon rule --error misplaced --box 1 examples/super-bonus.prt"),
    "rule-list": Output(list[table.RuleListed], "pontoon rule --list adelaide"),
    "rules": Output(list[table.RulebookListed], "pontoon rules"),
    "rules-explain": Output(table.RulesOutput, "pontoon rules canberra"),
    "rules-diff": Output(table.RulesDiffOutput, "pontoon rules star --diff federal"),
    "rules-clauses": Output(list[table.ClauseListed], "pontoon rules canberra --clauses"),
    "rules-clause": Output(table.ClauseOutput, "pontoon rules canberra --clause 7.2"),
    "rules-no-register": Output(table.NoRegisterOutput, "pontoon rules examples/python/my-casino.toml --clauses"),
    "rules-coverage": Output(dict[str, table.CoverageCounts], "pontoon rules --coverage"),
    "rules-new": Output(table.RulesNewOutput, "pontoon rules new my-casino.toml"),
    "rules-check": Output(table.RulesCheckOutput, "pontoon rules check examples/python/my-casino.toml"),
    "school": Output(list[table.ExerciseListed], "pontoon school payouts canberra --count 2 --seed 1"),
    "drill": Output(list[table.DrillListed], "pontoon drill star --hands 2 --seed 1"),
    "verify-shoe": Output(table.VerifyShoeOutput, "pontoon verify shoe rounds/shoe-0001.shoe.json"),
    "verify-log": Output(server.VerifyLogOutput, "pontoon verify log"),
    "account-list": Output(list[server.AccountListed], "pontoon account list"),
    "admin-status": Output(administration.Overview, "pontoon admin status"),
    "admin-policy": Output(administration.PolicyView, "pontoon admin policy"),
    "admin-tables": Output(list[administration.AdminTable], "pontoon admin tables"),
    "admin-make-table": Output(administration.MadeTable, "pontoon admin make-table --rulebook star"),
    "admin-close": Output(administration.Closing, "pontoon admin close k3x9pq"),
    "admin-wallets": Output(list[administration.WalletRow], "pontoon admin wallets"),
    "admin-wallet": Output(administration.WalletPage, "pontoon admin wallet Ann"),
    "admin-chips": Output(administration.WalletRow, "pontoon admin chips Ann 250"),
    "admin-rulebooks": Output(list[administration.RulebookUse], "pontoon admin rulebooks"),
    "admin-backup": Output(administration.BackedUp, "pontoon admin backup"),
    "admin-backups": Output(list[administration.BackupRow], "pontoon admin backups"),
    "admin-verify": Output(administration.Verified, "pontoon admin verify"),
    "admin-balance": Output(administration.Balance, "pontoon admin balance"),
    "admin-audit": Output(list[administration.AuditRow], "pontoon admin audit"),
    "backup": Output(server.BackupOutput, "pontoon backup monday.db"),
    "migrate": Output(server.MigrateOutput, "pontoon migrate --from pontoon-data --to new-data"),
    "tournament-check": Output(
        server.TournamentCheckOutput, "pontoon tournament check examples/tournaments/canberra-masters.toml"
    ),
    "tournament-conditions": Output(
        server.TournamentConditionsOutput, "pontoon tournament conditions examples/tournaments/canberra-masters.toml"
    ),
    "tournament-run": Output(
        server.TournamentRunOutput, "pontoon tournament run examples/tournaments/friday-sit-and-go.toml --out friday"
    ),
}
"""Every output by the name of its schema."""
