"""Settle every transcript of a folder again and report what was paid wrongly.

python examples/python/audit_transcripts.py [FOLDER]

Exit status: 0 if everything is correct, 1 if something was paid wrongly, 2 if a transcript cannot be settled.
"""

import sys
from pathlib import Path

from pontoon import TranscriptError, dollars, settle


def audit(file: Path) -> int:
    """Report one transcript; its exit status."""
    try:
        settled = settle(file)
    except TranscriptError as error:
        print(f"{file.name}: {error}")
        return 2
    nets = ", ".join(f"{player} {dollars(net)}" for player, net in settled.net.items())
    print(f"{file.name}: {settled.rules.about.name}, {nets}, house {dollars(settled.house)}")
    for player, owed in settled.owed.items():
        print(f"  {player} is still owed {dollars(owed)}")
    return 1 if settled.owed else 0


def main() -> int:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "examples")
    return max((audit(file) for file in sorted(folder.glob("*.prt"))), default=0)


if __name__ == "__main__":
    sys.exit(main())
