"""Outputs of `pontoon admin`: the answers of the server's interface (docs/protocol.md)."""

from __future__ import annotations

from pontoon.server.api.admin import AuditRow, BackedUp, BackupRow, Balance, Overview, Verified
from pontoon.server.api.admin_tables import AdminTable, Closing, RulebookUse, WalletPage, WalletRow
from pontoon.server.api.house_policy import PolicyView
from pontoon.server.api.tables import MadeTable

__all__ = [
    "AdminTable",
    "AuditRow",
    "BackedUp",
    "BackupRow",
    "Balance",
    "Closing",
    "MadeTable",
    "Overview",
    "PolicyView",
    "RulebookUse",
    "Verified",
    "WalletPage",
    "WalletRow",
]
