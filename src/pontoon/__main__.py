"""`python -m pontoon` is the `pontoon` command."""

from pontoon.cli import main

if __name__ == "__main__":
    main()
