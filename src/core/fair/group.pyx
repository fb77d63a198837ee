# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, auto_pickle=False
"""ristretto255 (RFC 9496) on libdecaf; it knows points and scalars, and must not know what they stand for.

`Scalar` may hold a secret: its arithmetic, `Point * Scalar`, `Table.mul`, `mul_many` and `msm` take constant time.
`msm_vartime` alone does not: it is for verification, where everything is public.
"""

cimport cython
from cpython.mem cimport PyMem_Free, PyMem_Malloc
from libc.stddef cimport size_t
from libc.stdint cimport int16_t, int8_t, uint64_t, uintptr_t
from libc.string cimport memset


cdef extern from "decaf.h" nogil:
    ctypedef struct scalar_s "struct decaf_255_scalar_s":
        pass
    ctypedef struct point_s "struct decaf_255_point_s":
        pass
    ctypedef struct precomputed_s "decaf_255_precomputed_s":
        pass
    ctypedef unsigned long word_t "decaf_word_t"
    const size_t sizeof_precomputed "decaf_255_sizeof_precomputed_s"
    const size_t alignof_precomputed "decaf_255_alignof_precomputed_s"
    const point_s[1] point_identity "decaf_255_point_identity"
    const point_s[1] point_base "decaf_255_point_base"
    const precomputed_s *precomputed_base "decaf_255_precomputed_base"
    int DECAF_SUCCESS
    enum:
        MEMORY "(sizeof(struct decaf_255_point_s) + 32)"  # a point and what aligning it takes

    int scalar_decode "decaf_255_scalar_decode" (scalar_s *out, const unsigned char *ser)
    void scalar_decode_long "decaf_255_scalar_decode_long" (scalar_s *out, const unsigned char *ser, size_t ser_len)
    void scalar_encode "decaf_255_scalar_encode" (unsigned char *ser, const scalar_s *s)
    void scalar_add "decaf_255_scalar_add" (scalar_s *out, const scalar_s *a, const scalar_s *b)
    void scalar_sub "decaf_255_scalar_sub" (scalar_s *out, const scalar_s *a, const scalar_s *b)
    void scalar_mul "decaf_255_scalar_mul" (scalar_s *out, const scalar_s *a, const scalar_s *b)
    int scalar_invert "decaf_255_scalar_invert" (scalar_s *out, const scalar_s *a)
    word_t scalar_eq "decaf_255_scalar_eq" (const scalar_s *a, const scalar_s *b)
    const scalar_s[1] scalar_zero "decaf_255_scalar_zero"

    void point_encode "decaf_255_point_encode" (unsigned char *ser, const point_s *p)
    int point_decode "decaf_255_point_decode" (point_s *p, const unsigned char *ser, word_t allow_identity)
    word_t point_eq "decaf_255_point_eq" (const point_s *a, const point_s *b)
    void point_add "decaf_255_point_add" (point_s *out, const point_s *a, const point_s *b)
    void point_sub "decaf_255_point_sub" (point_s *out, const point_s *a, const point_s *b)
    void point_double "decaf_255_point_double" (point_s *out, const point_s *a)
    void point_negate "decaf_255_point_negate" (point_s *out, const point_s *a)
    void point_scalarmul "decaf_255_point_scalarmul" (point_s *out, const point_s *base, const scalar_s *s)
    void point_cond_sel "decaf_255_point_cond_sel" (point_s *out, const point_s *a, const point_s *b, word_t pick_b)
    void point_from_hash "decaf_255_point_from_hash_uniform" (point_s *out, const unsigned char *hashed)
    void precompute "decaf_255_precompute" (precomputed_s *out, const point_s *p)
    void precomputed_scalarmul "decaf_255_precomputed_scalarmul" (point_s *out, const precomputed_s *base, const scalar_s *s)
    void wipe "decaf_bzero" (void *data, size_t size)


cdef enum:
    ALIGN = 32  # libdecaf's field elements; Python's allocator promises 16
    DIGITS = 64  # signed base-16 digits of a scalar below 2^253
    ODD = 8  # odd multiples P, 3P, .. 15P kept for a width-5 non-adjacent form
    NAF = 256  # digits of a non-adjacent form, with room for its carry
    STRAUS_MOST = 150  # terms beyond which buckets beat separate tables (measured)

ORDER = 2**252 + 27742317777372353535851937790883648493


cdef inline void *aligned(void *memory, size_t to) noexcept nogil:
    return <void *> ((<uintptr_t> memory + to - 1) // to * to)


cdef void *allocate(size_t size) except NULL:
    cdef void *memory = PyMem_Malloc(size if size else 1)
    if memory == NULL:
        raise MemoryError
    return memory


@cython.final
cdef class Scalar:
    """An integer modulo the group order l.  Immutable; arithmetic and equality take constant time; wiped when freed."""

    cdef scalar_s s[1]

    def __init__(self):
        raise TypeError("use Scalar.decode, Scalar.reduce or Scalar.of")

    def __dealloc__(self):
        wipe(self.s, sizeof(self.s))

    @staticmethod
    def decode(bytes data not None):
        cdef Scalar out = new_scalar()
        if len(data) != 32 or scalar_decode(out.s, data) != DECAF_SUCCESS:
            raise ValueError("not a canonical scalar")
        return out

    @staticmethod
    def reduce(bytes data not None):
        cdef Scalar out = new_scalar()
        if len(data) != 64:
            raise ValueError("64 bytes are reduced to a scalar")
        scalar_decode_long(out.s, data, 64)
        return out

    @staticmethod
    def of(value):
        return Scalar.decode(int(value % ORDER).to_bytes(32, "little"))

    def encode(self):
        cdef unsigned char[32] out
        scalar_encode(out, self.s)
        cdef bytes data = out[:32]
        wipe(out, 32)
        return data

    def inverse(self):
        cdef Scalar out = new_scalar()
        if scalar_invert(out.s, self.s) != DECAF_SUCCESS:
            raise ZeroDivisionError("zero has no inverse")
        return out

    def is_zero(self):
        return scalar_eq(self.s, scalar_zero) != 0

    def __add__(Scalar self, other):
        if not isinstance(other, Scalar):
            return NotImplemented
        cdef Scalar out = new_scalar()
        scalar_add(out.s, self.s, (<Scalar> other).s)
        return out

    def __sub__(Scalar self, other):
        if not isinstance(other, Scalar):
            return NotImplemented
        cdef Scalar out = new_scalar()
        scalar_sub(out.s, self.s, (<Scalar> other).s)
        return out

    def __mul__(Scalar self, other):
        if not isinstance(other, Scalar):
            return NotImplemented
        cdef Scalar out = new_scalar()
        scalar_mul(out.s, self.s, (<Scalar> other).s)
        return out

    def __neg__(self):
        cdef Scalar out = new_scalar()
        scalar_sub(out.s, scalar_zero, self.s)
        return out

    def __eq__(self, other):
        if not isinstance(other, Scalar):
            return NotImplemented
        return scalar_eq(self.s, (<Scalar> other).s) != 0

    __hash__ = None  # a hash table would compare secrets by their addresses in time

    def __reduce__(self):
        raise TypeError("a scalar may be a secret: encode it where it is meant to be kept")


@cython.final
cdef class Point:
    """A group element.  Immutable."""

    cdef unsigned char memory[MEMORY]
    cdef point_s *p
    cdef bytes encoding  # once it is known: encoding costs an inversion's work

    def __cinit__(self):
        self.p = <point_s *> aligned(self.memory, ALIGN)
        self.p[0] = point_identity[0]

    def __init__(self):
        raise TypeError("use Point.decode, Point.hash or arithmetic")

    @staticmethod
    def decode(bytes data not None):
        cdef Point out = new_point()
        if len(data) != 32 or point_decode(out.p, data, <word_t> -1) != DECAF_SUCCESS:
            raise ValueError("not a canonical point")
        out.encoding = data
        return out

    @staticmethod
    def hash(bytes data not None):
        if len(data) != 64:
            raise ValueError("64 bytes are mapped to a point")
        cdef Point out = new_point()
        point_from_hash(out.p, data)
        return out

    def encode(self):
        cdef unsigned char[32] out
        if self.encoding is None:
            point_encode(out, self.p)
            self.encoding = out[:32]
        return self.encoding

    def is_identity(self):
        return point_eq(self.p, point_identity) != 0

    def __add__(Point self, other):
        if not isinstance(other, Point):
            return NotImplemented
        cdef Point out = new_point()
        point_add(out.p, self.p, (<Point> other).p)
        return out

    def __sub__(Point self, other):
        if not isinstance(other, Point):
            return NotImplemented
        cdef Point out = new_point()
        point_sub(out.p, self.p, (<Point> other).p)
        return out

    def __neg__(self):
        cdef Point out = new_point()
        point_negate(out.p, self.p)
        return out

    def __mul__(Point self, other):
        if not isinstance(other, Scalar):
            return NotImplemented
        cdef Point out = new_point()
        cdef const scalar_s *s = (<Scalar> other).s
        with nogil:
            point_scalarmul(out.p, self.p, s)
        return out

    def __eq__(self, other):
        if not isinstance(other, Point):
            return NotImplemented
        return point_eq(self.p, (<Point> other).p) != 0

    def __hash__(self):
        return hash(self.encode())

    def __repr__(self):
        return f"Point({self.encode().hex()})"

    def __reduce__(self):
        return Point.decode, (self.encode(),)


cdef inline Scalar new_scalar():
    return Scalar.__new__(Scalar)


cdef inline Point new_point():
    return Point.__new__(Point)


cdef Point copy_of(const point_s *p):
    cdef Point out = new_point()
    out.p[0] = p[0]
    return out


@cython.final
cdef class Table:
    """Precomputed multiples of one fixed public point; multiplication is constant time in the scalar."""

    cdef void *memory
    cdef const precomputed_s *table

    def __cinit__(self, Point point not None):
        cdef precomputed_s *table
        if point_eq(point.p, point_base):
            self.table = precomputed_base
            return
        self.memory = allocate(sizeof_precomputed + alignof_precomputed)
        table = <precomputed_s *> aligned(self.memory, alignof_precomputed)
        with nogil:
            precompute(table, point.p)
        self.table = table

    def __dealloc__(self):
        PyMem_Free(self.memory)

    def __reduce__(self):
        raise TypeError("a table is computed anew from its point")

    def mul(self, Scalar scalar not None):
        cdef Point out = new_point()
        with nogil:
            precomputed_scalarmul(out.p, self.table, scalar.s)
        return out

    def mul_many(self, scalars):
        cdef Batch batch = Batch(None, scalars)
        cdef list out = [new_point() for _ in range(batch.n)]
        cdef point_s **results = batch.outputs(out)
        cdef Py_ssize_t i
        with nogil:
            for i in range(batch.n):
                precomputed_scalarmul(results[i], self.table, batch.scalars[i])
        return out


@cython.final
cdef class Batch:
    """Pointers into the points and scalars of a batch, which it keeps alive while the GIL is released."""

    cdef Py_ssize_t n
    cdef point_s **points
    cdef scalar_s **scalars
    cdef point_s **results
    cdef tuple kept_points, kept_scalars

    def __init__(self, tuple points, scalars):
        cdef Py_ssize_t i
        self.kept_points = points  # None where one table serves all
        self.kept_scalars = tuple(scalars)
        self.n = len(self.kept_scalars)
        self.scalars = <scalar_s **> allocate(self.n * sizeof(scalar_s *))
        for i in range(self.n):
            self.scalars[i] = (<Scalar?> self.kept_scalars[i]).s
        if self.kept_points is None:
            return
        if len(self.kept_points) != self.n:
            raise ValueError("as many scalars as points are needed")
        self.points = <point_s **> allocate(self.n * sizeof(point_s *))
        for i in range(self.n):
            self.points[i] = (<Point?> self.kept_points[i]).p

    def __dealloc__(self):
        PyMem_Free(self.points)
        PyMem_Free(self.scalars)
        PyMem_Free(self.results)

    cdef point_s **outputs(self, list points) except NULL:
        cdef Py_ssize_t i
        self.results = <point_s **> allocate(self.n * sizeof(point_s *))
        for i in range(self.n):
            self.results[i] = (<Point> points[i]).p
        return self.results


IDENTITY = copy_of(point_identity)
BASE = copy_of(point_base)
BASE_TABLE = Table(BASE)


def decode_many(data):
    cdef list kept = list(data)
    cdef list out = [new_point() for _ in kept]
    cdef Py_ssize_t i, n = len(kept)
    cdef const unsigned char **inputs = <const unsigned char **> allocate(n * sizeof(void *))
    cdef point_s **results = NULL
    cdef bint good = True
    try:
        results = <point_s **> allocate(n * sizeof(void *))
        for i in range(n):
            if len(<bytes?> kept[i]) != 32:
                raise ValueError("not a canonical point")
            inputs[i] = <bytes> kept[i]
            results[i] = (<Point> out[i]).p
            (<Point> out[i]).encoding = <bytes> kept[i]
        with nogil:
            for i in range(n):
                if point_decode(results[i], inputs[i], <word_t> -1) != DECAF_SUCCESS:
                    good = False
                    break
    finally:
        PyMem_Free(inputs)
        PyMem_Free(results)
    if not good:
        raise ValueError("not a canonical point")
    return out


def encode_many(points):
    return [(<Point?> point).encode() for point in points]


def mul_many(points, scalars):
    cdef Batch batch = Batch(tuple(points), scalars)
    cdef list out = [new_point() for _ in range(batch.n)]
    cdef point_s **results = batch.outputs(out)
    cdef Py_ssize_t i
    with nogil:
        for i in range(batch.n):
            point_scalarmul(results[i], batch.points[i], batch.scalars[i])
    return out


include "sums.pxi"
include "lists.pxi"
