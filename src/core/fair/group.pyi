"""ristretto255 (RFC 9496) on libdecaf: points, scalars, tables and batches."""

from collections.abc import Sequence

class Scalar:
    """An integer modulo the group order l.  Immutable; arithmetic and equality take constant time."""

    @staticmethod
    def decode(data: bytes) -> Scalar:
        """32 bytes little-endian, canonical (< l); raises ValueError otherwise."""

    @staticmethod
    def reduce(data: bytes) -> Scalar:
        """64 uniform bytes little-endian, reduced modulo l (a hash, or fresh randomness)."""

    @staticmethod
    def of(value: int) -> Scalar:
        """A public integer, reduced modulo l."""

    def encode(self) -> bytes: ...
    def inverse(self) -> Scalar:
        """Raises ZeroDivisionError for zero."""

    def is_zero(self) -> bool: ...
    def __add__(self, other: Scalar) -> Scalar: ...
    def __sub__(self, other: Scalar) -> Scalar: ...
    def __mul__(self, other: Scalar) -> Scalar: ...
    def __neg__(self) -> Scalar: ...
    def __eq__(self, other: object) -> bool: ...

class Point:
    """A group element.  Immutable."""

    @staticmethod
    def decode(data: bytes) -> Point:
        """32 canonical bytes (RFC 9496 4.3.1), the identity included; raises ValueError otherwise."""

    @staticmethod
    def hash(data: bytes) -> Point:
        """64 uniform bytes to a point (RFC 9496 4.3.4, the one-way map)."""

    def encode(self) -> bytes: ...
    def is_identity(self) -> bool: ...
    def __add__(self, other: Point) -> Point: ...
    def __sub__(self, other: Point) -> Point: ...
    def __neg__(self) -> Point: ...
    def __mul__(self, scalar: Scalar) -> Point:
        """Constant time in the scalar."""

    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...

class Table:
    """Precomputed multiples of one fixed point; multiplication is constant time in the scalar."""

    def __init__(self, point: Point) -> None: ...
    def mul(self, scalar: Scalar) -> Point: ...
    def mul_many(self, scalars: Sequence[Scalar]) -> list[Point]:
        """One product a scalar, without the GIL."""

IDENTITY: Point
BASE: Point  # G
BASE_TABLE: Table

def decode_many(data: Sequence[bytes]) -> list[Point]:
    """Decode all or raise ValueError, without the GIL."""

def encode_many(points: Sequence[Point]) -> list[bytes]: ...
def mul_many(points: Sequence[Point], scalars: Sequence[Scalar]) -> list[Point]:
    """points[i] * scalars[i], constant time, without the GIL."""

def msm(points: Sequence[Point], scalars: Sequence[Scalar]) -> Point:
    """Sum of points[i] * scalars[i], CONSTANT time in the scalars (for provers), without the GIL."""

def msm_vartime(points: Sequence[Point], scalars: Sequence[Scalar]) -> Point:
    """The same in VARIABLE time (for verification, where everything is public), without the GIL."""

def subset_sum(points: Sequence[Point], bits: Sequence[Scalar]) -> Point:
    """Sum of the points whose bit is one, CONSTANT time in the bits, without the GIL."""

class ScalarList:
    """A long list of public scalars: entry i is the sum over k of columns[k][place], for the places of entry i."""

    def __init__(self, places: bytes, columns: Sequence[Sequence[Scalar]]) -> None:
        """`places`: for each entry a place in each column, two bytes little-endian.

        ValueError if there are none, or one is beyond its column.
        """

    def __len__(self) -> int: ...
    def __getitem__(self, i: int) -> Scalar: ...
    def fold(self, digits: Sequence[Sequence[Scalar]]) -> Scalar:
        """Level by level, n = len(digits[j]): entry q becomes the sum over d of digits[j][d] * entry[n q + d], without the GIL.

        A level whose length n does not divide repeats its last entry.  ValueError unless one entry is left.
        """

    def fold_polynomials(self, masks: Sequence[Sequence[Scalar]], bits: Sequence[Sequence[Scalar]]) -> list[Scalar]:
        """The same with masks[j][d] + bits[j][d] X in the place of digits[j][d], each bit 0 or 1: the coefficients, constant first.

        CONSTANT time in masks and bits (for provers), without the GIL.
        """
