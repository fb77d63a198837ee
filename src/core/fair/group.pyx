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
    STRAUS_MOST = 96  # terms beyond which buckets beat separate tables (measured)

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

    def __init__(self, points, scalars):
        cdef Py_ssize_t i
        self.kept_points = None if points is None else tuple(points)
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
    cdef Batch batch = Batch(points, scalars)
    cdef list out = [new_point() for _ in range(batch.n)]
    cdef point_s **results = batch.outputs(out)
    cdef Py_ssize_t i
    with nogil:
        for i in range(batch.n):
            point_scalarmul(results[i], batch.points[i], batch.scalars[i])
    return out


cdef void signed_digits(int8_t *digits, const scalar_s *s) noexcept nogil:
    """s = sum digits[i] 16^i with digits in -8..7, without a branch on s."""
    cdef unsigned char[32] data
    cdef int i, digit, carry = 0
    scalar_encode(data, s)
    for i in range(DIGITS):
        digit = ((data[i >> 1] >> (4 * (i & 1))) & 15) + carry
        carry = (digit + 8) >> 4
        digits[i] = <int8_t> (digit - (carry << 4))
    wipe(data, 32)


def msm(points, scalars):
    # Straus: one chain of doublings, a table P .. 8P a term, and every table entry touched for every digit.
    cdef Batch batch = Batch(points, scalars)
    cdef Py_ssize_t i, n = batch.n
    cdef Point out = copy_of(point_identity)
    cdef void *memory = allocate((8 * n + 3) * sizeof(point_s) + ALIGN)
    cdef int8_t *digits = NULL
    cdef point_s *table
    cdef point_s *term
    cdef point_s *minus
    cdef int k, digit, sign, size
    try:
        digits = <int8_t *> allocate(n * DIGITS)
        table = <point_s *> aligned(memory, ALIGN)
        term = table + 8 * n
        minus = term + 1
        with nogil:
            for i in range(n):
                signed_digits(digits + i * DIGITS, batch.scalars[i])
                table[8 * i] = batch.points[i][0]
                for k in range(1, 8):
                    point_add(&table[8 * i + k], &table[8 * i + k - 1], batch.points[i])
            for k in range(DIGITS - 1, -1, -1):
                for _ in range(4):
                    point_double(out.p, out.p)
                for i in range(n):
                    digit = digits[i * DIGITS + k]
                    sign = digit >> 31
                    size = (digit ^ sign) - sign
                    select(term, table + 8 * i, size)
                    point_negate(minus, term)
                    point_cond_sel(term, term, minus, <word_t> (sign & 1))
                    point_add(out.p, out.p, term)
            wipe(digits, n * DIGITS)
            wipe(term, 2 * sizeof(point_s))
    finally:
        PyMem_Free(memory)
        PyMem_Free(digits)
    return out


cdef inline void select(point_s *out, const point_s *table, int size) noexcept nogil:
    """out = size P from P .. 8P, or the identity; reads all of the table and branches on nothing."""
    cdef int k
    out[0] = point_identity[0]
    for k in range(1, 9):
        point_cond_sel(out, out, &table[k - 1], <word_t> ((<unsigned int> ((size ^ k) - 1)) >> 31))


def msm_vartime(points, scalars):
    cdef Batch batch = Batch(points, scalars)
    cdef Point out = copy_of(point_identity)
    if batch.n <= STRAUS_MOST:
        straus(out.p, batch)
    else:
        pippenger(out.p, batch)
    return out


cdef bint shorter_of(uint64_t *limbs, const scalar_s *s) noexcept nogil:
    """The shorter of s and l - s as four 64-bit limbs; True when it is the negative."""
    cdef unsigned char[32] data, minus_data
    cdef scalar_s[1] minus
    cdef const unsigned char *taken
    cdef int i
    scalar_sub(minus, scalar_zero, s)
    scalar_encode(data, s)
    scalar_encode(minus_data, minus)
    cdef bint negative = False
    for i in range(31, -1, -1):
        if data[i] != minus_data[i]:
            negative = data[i] > minus_data[i]
            break
    taken = data
    if negative:
        taken = minus_data
    memset(limbs, 0, 40)
    for i in range(32):
        limbs[i >> 3] |= (<uint64_t> taken[i]) << (8 * (i & 7))
    return negative


cdef int straus(point_s *out, Batch batch) except -1:
    """Non-adjacent forms of width 5 over one chain of doublings (Straus)."""
    cdef Py_ssize_t i, n = batch.n
    cdef void *memory = allocate((ODD * n + 1) * sizeof(point_s) + ALIGN)
    cdef int8_t *naf = NULL
    cdef point_s *odd
    cdef int k, digit, top = -1
    try:
        naf = <int8_t *> allocate(n * NAF)
        odd = <point_s *> aligned(memory, ALIGN)
        with nogil:
            for i in range(n):
                k = recode_naf(naf + i * NAF, batch.scalars[i])
                top = max(top, k)
                odd[ODD * i] = batch.points[i][0]
                point_double(&odd[ODD * n], batch.points[i])
                for k in range(1, ODD):
                    point_add(&odd[ODD * i + k], &odd[ODD * i + k - 1], &odd[ODD * n])
            for k in range(top, -1, -1):
                point_double(out, out)
                for i in range(n):
                    digit = naf[i * NAF + k]
                    if digit > 0:
                        point_add(out, out, &odd[ODD * i + (digit >> 1)])
                    elif digit < 0:
                        point_sub(out, out, &odd[ODD * i + ((-digit) >> 1)])
    finally:
        PyMem_Free(memory)
        PyMem_Free(naf)
    return 0


cdef int recode_naf(int8_t *naf, const scalar_s *s) noexcept nogil:
    """Write the width-5 non-adjacent form and return the place of its highest digit, -1 for zero."""
    cdef uint64_t[5] limbs
    cdef bint negative = shorter_of(limbs, s)
    cdef int place = 0, carry = 0, window, top = -1
    memset(naf, 0, NAF)
    while place < NAF - 1:
        if <int> ((limbs[place >> 6] >> (place & 63)) & 1) == carry:  # the bit with its carry is even
            place += 1
            continue
        window = bits_at(limbs, place, 5) + carry
        carry = 1 if window > 16 else 0
        window -= carry << 5
        naf[place] = <int8_t> (-window if negative else window)
        top = place
        place += 5
    return top


cdef inline int bits_at(const uint64_t *limbs, int place, int width) noexcept nogil:
    """`width` bits from `place` on, of a number in four limbs with a zero fifth."""
    cdef uint64_t value = limbs[place >> 6] >> (place & 63)
    if (place & 63) + width > 64:
        value |= limbs[(place >> 6) + 1] << (64 - (place & 63))
    return <int> (value & ((1 << width) - 1))


cdef int pippenger(point_s *out, Batch batch) except -1:
    """Signed windows and one bucket a digit (Pippenger); digits that are zero, as in short scalars, cost nothing."""
    cdef Py_ssize_t i, n = batch.n
    cdef int width = 4, windows, buckets, window, k, digit, carry, negative
    while width < 13 and cost(n, width + 1) < cost(n, width):
        width += 1
    windows = 253 // width + 1
    buckets = 1 << (width - 1)
    cdef void *memory = allocate((buckets + 2) * sizeof(point_s) + ALIGN)
    cdef char *used = NULL
    cdef int16_t *digits = NULL
    cdef uint64_t[5] limbs
    cdef point_s *bucket = <point_s *> aligned(memory, ALIGN)
    cdef point_s *running = bucket + buckets
    cdef point_s *total = running + 1
    try:
        used = <char *> allocate(buckets)
        digits = <int16_t *> allocate(n * windows * sizeof(int16_t))
        with nogil:
            for i in range(n):
                negative = shorter_of(limbs, batch.scalars[i])
                carry = 0
                for window in range(windows):
                    digit = bits_at(limbs, window * width, width) + carry
                    carry = 1 if digit > buckets else 0
                    digit -= carry << width
                    digits[window * n + i] = <int16_t> (-digit if negative else digit)
            for window in range(windows - 1, -1, -1):
                for k in range(width):
                    point_double(out, out)
                memset(used, 0, buckets)
                for i in range(n):
                    digit = digits[window * n + i]
                    if digit > 0:
                        k = digit - 1
                        if used[k]:
                            point_add(&bucket[k], &bucket[k], batch.points[i])
                        else:
                            bucket[k] = batch.points[i][0]
                    elif digit < 0:
                        k = -digit - 1
                        if used[k]:
                            point_sub(&bucket[k], &bucket[k], batch.points[i])
                        else:
                            point_negate(&bucket[k], batch.points[i])
                    else:
                        continue
                    used[k] = 1
                running[0] = point_identity[0]
                total[0] = point_identity[0]
                digit = 0  # whether anything has been added to `running`
                for k in range(buckets - 1, -1, -1):
                    if used[k]:
                        point_add(running, running, &bucket[k])
                        digit = 1
                    if digit:
                        point_add(total, total, running)
                point_add(out, out, total)
    finally:
        PyMem_Free(memory)
        PyMem_Free(used)
        PyMem_Free(digits)
    return 0


cdef inline Py_ssize_t cost(Py_ssize_t n, int width) noexcept nogil:
    """Additions that windows of this width need."""
    return (253 // width + 1) * (n + (2 << (width - 1)))
