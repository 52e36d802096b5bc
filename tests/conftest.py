"""Settings for all tests."""

import faulthandler
import os

import pytest
from hypothesis import HealthCheck, Phase, settings

# "ci": the same examples every time, so that a red build is about the change in hand.
# "deep": new examples at every run, for longer campaigns: HYPOTHESIS_PROFILE=deep python3 dev.py test tests
# What "deep" finds goes into a file under tests.
_SLOW_MACHINE = [HealthCheck.too_slow]
_PHASES = tuple(phase for phase in Phase if phase is not Phase.explain)
"""Without the one that traces every line of every example, to explain a failure: it makes them several times slower."""
os.environ["PONTOON_CHECK_JSON"] = "1"  # every --json output of every test is checked against its schema
settings.register_profile(
    "ci", derandomize=True, deadline=None, max_examples=100, suppress_health_check=_SLOW_MACHINE, phases=_PHASES
)
settings.register_profile("deep", deadline=None, max_examples=5_000, suppress_health_check=_SLOW_MACHINE)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


@pytest.hookimpl(trylast=True)
def pytest_exception_interact() -> None:
    """Give a failed test a limit for tidying up too: pytest stops its timer at a failure, for the debugger."""
    faulthandler.dump_traceback_later(240, file=2, exit=True)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Show a failure at once: a run that is cut short has no summary."""
    if report.failed and "PYTEST_XDIST_WORKER" not in os.environ:
        print(f"\n{report.nodeid} ({report.when})\n{report.longreprtext}", flush=True)  # noqa: T201
