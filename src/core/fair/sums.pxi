# Sums of many products, part of group.pyx: `msm` for provers (constant time), `msm_vartime` for verifiers; it must not branch on a secret
# anywhere but in what only `msm_vartime` calls.

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
    cdef Batch batch = Batch(tuple(points), scalars)
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
    cdef Batch batch = Batch(tuple(points), scalars)
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
                for _ in range(width):
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
