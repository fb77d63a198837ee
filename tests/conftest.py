"""For all tests: how fast a machine is decides nothing, so hypothesis neither times examples nor gives up on a busy one."""

from hypothesis import HealthCheck, settings

settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")
