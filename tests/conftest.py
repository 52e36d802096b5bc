"""Settings for all tests."""

import os

from hypothesis import HealthCheck, settings

# "ci": the same examples every time, so that a red build is about the change in hand.
# "deep": new examples at every run, for longer campaigns: HYPOTHESIS_PROFILE=deep python3 dev.py test tests
# What "deep" finds goes into a file under tests.
_SLOW_MACHINE = [HealthCheck.too_slow]
settings.register_profile("ci", derandomize=True, deadline=None, max_examples=100, suppress_health_check=_SLOW_MACHINE)
settings.register_profile("deep", deadline=None, max_examples=5_000, suppress_health_check=_SLOW_MACHINE)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))
