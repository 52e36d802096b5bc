"""The examples in docs/environment.md run."""

import doctest
from pathlib import Path

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "environment.md"


def test_the_examples_of_the_document_run():
    found = doctest.testfile(str(DOCUMENT), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert found.attempted > 5
    assert found.failed == 0
