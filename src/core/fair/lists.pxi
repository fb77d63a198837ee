# Long lists of scalars folded digit by digit, part of group.pyx: what one-out-of-many proofs spend their time on.  `fold` is for verifiers;
# `fold_polynomials` is for provers and neither branches on the digits of the secret place nor reads memory by them.

cdef extern from *:
    """
    #include <stdint.h>
    #include <string.h>
    /* Sums of products modulo l with one Montgomery reduction a sum: limbs are 64 bits, R = 2^256, l < 2^253. */
    static const uint64_t L_LIMBS[4] = {0x5812631a5cf5d3ed, 0x14def9dea2f79cd6, 0, 0x1000000000000000};
    static const uint64_t L_INVERSE = 0xd2b51da312547e1b; /* -1/l modulo 2^64 */

    static void multiply_add(uint64_t sum[8], const void *x, const void *y) {
        uint64_t a[4], b[4];
        memcpy(a, x, 32);
        memcpy(b, y, 32);
        for (int i = 0; i < 4; i++) {
            unsigned __int128 t = 0;
            for (int j = 0; j < 4; j++) {
                t += (unsigned __int128) a[i] * b[j] + sum[i + j];
                sum[i + j] = (uint64_t) t;
                t >>= 64;
            }
            for (int j = i + 4; j < 8; j++) {
                t += sum[j];
                sum[j] = (uint64_t) t;
                t >>= 64;
            }
        }
    }

    static void subtract_if_not_less(uint64_t r[4]) {
        uint64_t d[4], borrow = 0;
        for (int i = 0; i < 4; i++) {
            unsigned __int128 t = (unsigned __int128) r[i] - L_LIMBS[i] - borrow;
            d[i] = (uint64_t) t;
            borrow = (uint64_t) (t >> 64) & 1;
        }
        for (int i = 0; i < 4; i++)
            r[i] = (r[i] & -borrow) | (d[i] & (borrow - 1));
    }

    /* out = sum / R modulo l, for a sum of at most 16 products: then sum / R < l, and one subtraction is enough */
    static void reduce_sum(void *out, uint64_t sum[8]) {
        for (int i = 0; i < 4; i++) {
            uint64_t m = sum[i] * L_INVERSE;
            unsigned __int128 t = 0;
            for (int j = 0; j < 4; j++) {
                t += (unsigned __int128) m * L_LIMBS[j] + sum[i + j];
                sum[i + j] = (uint64_t) t;
                t >>= 64;
            }
            for (int j = i + 4; j < 8; j++) {
                t += sum[j];
                sum[j] = (uint64_t) t;
                t >>= 64;
            }
        }
        subtract_if_not_less(sum + 4);
        memcpy(out, sum + 4, 32);
    }
    """
    void multiply_add(uint64_t *sum, const void *a, const void *b) noexcept nogil
    void reduce_sum(void *out, uint64_t *sum) noexcept nogil

cdef extern from "decaf.h" nogil:
    void scalar_cond_sel "decaf_255_scalar_cond_sel" (scalar_s *out, const scalar_s *a, const scalar_s *b, word_t pick_b)
    const scalar_s[1] scalar_one "decaf_255_scalar_one"

cdef enum:
    MOST = 16  # values a digit: sums of that many products need one subtraction

cdef Scalar MONTGOMERY = Scalar.of(1 << 256)


@cython.final
cdef class ScalarList:
    """The scalars sum_k columns[k][places[i, k]], one an i; immutable."""

    cdef scalar_s *s
    cdef Py_ssize_t n

    def __init__(self, const unsigned char[::1] places not None, columns):
        cdef Py_ssize_t i, k, place, width = len(columns)
        if width == 0 or len(places) % (2 * width) or len(places) == 0:
            raise ValueError("two bytes a place, as many places an entry as columns")
        self.n = len(places) // (2 * width)
        self.s = <scalar_s *> allocate(self.n * sizeof(scalar_s))
        memset(self.s, 0, self.n * sizeof(scalar_s))
        cdef ScalarArray column
        cdef bint good = True
        for k in range(width):
            column = ScalarArray(columns[k])
            with nogil:
                for i in range(self.n):
                    place = places[2 * (i * width + k)] | places[2 * (i * width + k) + 1] << 8
                    if place >= column.n:
                        good = False
                        break
                    scalar_add(&self.s[i], &self.s[i], &column.s[place])
            if not good:
                raise ValueError("a place beyond its column")

    def __dealloc__(self):
        PyMem_Free(self.s)

    def __len__(self):
        return self.n

    def __getitem__(self, Py_ssize_t i):
        if not 0 <= i < self.n:
            raise IndexError(i)
        cdef Scalar out = new_scalar()
        out.s[0] = self.s[i]
        return out

    def fold(self, digits):
        cdef ScalarArray f
        cdef Py_ssize_t q, d, n, length = self.n
        cdef scalar_s *now = self.s
        cdef void *memory = allocate((self.n + 1) * sizeof(scalar_s))
        cdef scalar_s *folded = <scalar_s *> memory
        cdef uint64_t[8] total
        cdef Scalar out = new_scalar()
        try:
            for level in digits:
                f = ScalarArray(level, MONTGOMERY)
                n = f.n
                if not 2 <= n <= MOST:
                    raise ValueError("2 to 16 values a digit")
                with nogil:
                    for q in range((length + n - 1) // n):  # entry q is written after entries n q .. are read
                        memset(total, 0, sizeof(total))
                        for d in range(n):
                            multiply_add(total, &now[min(n * q + d, length - 1)], &f.s[d])
                        reduce_sum(&folded[q], total)
                    length = (length + n - 1) // n
                now = folded
            if length != 1:
                raise ValueError("too few digits")
            out.s[0] = now[0]
        finally:
            PyMem_Free(memory)
        return out

    def fold_polynomials(self, masks, bits):
        # Level by level: entry q becomes sum_d (masks[d] + bits[d] X) entry[n q + d], a polynomial of one degree more.
        cdef ScalarArray a, b
        cdef Py_ssize_t q, d, n, k, degree = 0, length = self.n, room = 0
        cdef scalar_s *now = self.s
        cdef scalar_s *grown
        cdef scalar_s *swap
        cdef scalar_s[1] term
        cdef uint64_t[8] total
        cdef void *first = NULL
        cdef void *second = NULL
        cdef word_t pick
        for level in masks:  # the most coefficients on any level
            if not 2 <= len(level) <= MOST:
                raise ValueError("2 to 16 values a digit")
            length, degree = (length + len(level) - 1) // len(level), degree + 1
            room = max(room, length * (degree + 1))
        if length != 1 or len(masks) != len(bits) or not masks:
            raise ValueError("too few digits")
        length, degree = self.n, 0
        cdef list out
        try:
            first = allocate(room * sizeof(scalar_s))
            second = allocate(room * sizeof(scalar_s))
            grown, swap = <scalar_s *> first, <scalar_s *> second
            for values, chosen in zip(masks, bits):
                a, b = ScalarArray(values, MONTGOMERY), ScalarArray(chosen)
                n = a.n
                if b.n != n:
                    raise ValueError("as many bits as masks")
                with nogil:
                    for q in range((length + n - 1) // n):
                        for k in range(degree + 1):
                            memset(total, 0, sizeof(total))
                            for d in range(n):
                                multiply_add(total, &now[min(n * q + d, length - 1) * (degree + 1) + k], &a.s[d])
                            reduce_sum(&grown[q * (degree + 2) + k], total)
                        grown[q * (degree + 2) + degree + 1] = scalar_zero[0]
                        for k in range(degree, -1, -1):
                            term[0] = scalar_zero[0]
                            for d in range(n):
                                pick = scalar_eq(&b.s[d], scalar_one)
                                scalar_cond_sel(term, term, &now[min(n * q + d, length - 1) * (degree + 1) + k], pick)
                            scalar_add(&grown[q * (degree + 2) + k + 1], &grown[q * (degree + 2) + k + 1], term)
                    length = (length + n - 1) // n
                degree += 1
                now = grown
                grown, swap = swap, grown
            out = []
            for k in range(degree + 1):
                out.append(scalar_of(&now[k]))
        finally:
            if first != NULL:
                wipe(first, room * sizeof(scalar_s))
            if second != NULL:
                wipe(second, room * sizeof(scalar_s))
            PyMem_Free(first)
            PyMem_Free(second)
        return out


cdef Scalar scalar_of(const scalar_s *s):
    cdef Scalar out = new_scalar()
    out.s[0] = s[0]
    return out


@cython.final
cdef class ScalarArray:
    """Copies of scalars side by side, each times `factor` if there is one; wiped when freed."""

    cdef scalar_s *s
    cdef Py_ssize_t n

    def __init__(self, scalars, Scalar factor=None):
        cdef tuple kept = tuple(scalars)
        cdef Py_ssize_t i
        self.n = len(kept)
        self.s = <scalar_s *> allocate(self.n * sizeof(scalar_s))
        for i in range(self.n):
            self.s[i] = (<Scalar?> kept[i]).s[0]
            if factor is not None:
                scalar_mul(&self.s[i], &self.s[i], factor.s)

    def __dealloc__(self):
        if self.s != NULL:
            wipe(self.s, self.n * sizeof(scalar_s))
        PyMem_Free(self.s)


def subset_sum(points, bits):
    # Reads every point and branches on nothing.
    cdef ScalarArray chosen = ScalarArray(bits)
    cdef Batch batch = Batch(tuple(points), bits)
    cdef Py_ssize_t i
    cdef Point out = new_point()
    cdef Point term = new_point()
    with nogil:
        for i in range(batch.n):
            point_cond_sel(term.p, point_identity, batch.points[i], scalar_eq(&chosen.s[i], scalar_one))
            point_add(out.p, out.p, term.p)
    return out
