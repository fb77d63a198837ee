"""Fixtures for the tests of the cryptography."""

import hashlib

import pytest
from fairtable import Table, seeded
from mastaba.core.fair.group import Point


@pytest.fixture
def table():
    return Table(3)


@pytest.fixture
def rng():
    return seeded("rng")


@pytest.fixture
def point():
    """A function that gives a point of no known logarithm for a name."""
    return lambda name: Point.hash(hashlib.sha512(str(name).encode()).digest())
