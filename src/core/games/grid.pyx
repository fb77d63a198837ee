# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Squares of a board as bits of machine words: spaces closed by a placement, and where a tile fits; it knows no game's rules.

A mask is an integer whose bit 10 * row + column stands for a square of the site, 10 rows of 10 from the top left.
"""

from cpython.long cimport PyLong_AsUnsignedLongLongMask
from cpython.ref cimport Py_INCREF
from cpython.tuple cimport PyTuple_New, PyTuple_SET_ITEM
from libc.stdint cimport uint64_t


cdef extern from *:
    ctypedef unsigned long long u128 "unsigned __int128"  # the name alone tells Cython the size; C does the arithmetic
    int popcount "__builtin_popcountll" (uint64_t word) nogil
    int lowest "__builtin_ctzll" (uint64_t word) nogil


cdef enum:
    SIDE = 10
    SQUARES = 100
    LARGEST_TILE = 10


# -- masks ------------------------------------------------------------------------------------------------------------


cdef u128 ONE = 1
cdef u128 SITE = (ONE << SQUARES) - 1
cdef u128 LEFT = 0  # the first column
cdef u128[SIDE + 1] COLUMNS  # the first n columns
cdef tuple NUMBERS = tuple(range(SQUARES))

for i in range(SIDE):
    LEFT |= ONE << (SIDE * i)
COLUMNS[0] = 0
for i in range(SIDE):
    COLUMNS[i + 1] = COLUMNS[i] | LEFT << i

cdef u128 NOT_LEFT = SITE & ~LEFT
cdef u128 NOT_RIGHT = COLUMNS[SIDE - 1]


cdef inline u128 word(object mask) except? 0:
    """The mask of a Python integer; refuses what is not a set of squares."""
    cdef uint64_t high = mask >> 64  # raises OverflowError for negative and far too large ones
    if high >> (SQUARES - 64):
        raise OverflowError("a square outside the site")
    return (<u128> high) << 64 | <u128> PyLong_AsUnsignedLongLongMask(mask)


cdef inline object number(u128 mask):
    cdef uint64_t high = <uint64_t> (mask >> 64), low = <uint64_t> mask
    return low if high == 0 else (<object> high << 64) | low


cdef inline int count(u128 mask) noexcept nogil:
    return popcount(<uint64_t> mask) + popcount(<uint64_t> (mask >> 64))


cdef inline int first(u128 mask) noexcept nogil:
    """The number of the lowest square; the mask is not empty."""
    cdef uint64_t low = <uint64_t> mask
    return lowest(low) if low else 64 + lowest(<uint64_t> (mask >> 64))


cdef inline u128 around(u128 mask) noexcept nogil:
    """The squares that share a side with one of the mask, which may be among them."""
    return (mask << SIDE & SITE) | mask >> SIDE | (mask << 1 & NOT_LEFT) | (mask >> 1 & NOT_RIGHT)


def mask_of(squares):
    cdef u128 mask = 0
    cdef int square
    for square in squares:
        if not 0 <= square < SQUARES:
            raise OverflowError("a square outside the site")
        mask |= ONE << square
    return number(mask)


def squares_of(mask):
    return _squares(word(mask))


cdef tuple _squares(u128 mask):
    cdef tuple squares = PyTuple_New(count(mask))
    cdef Py_ssize_t i = 0
    cdef object square
    while mask:
        square = NUMBERS[first(mask)]
        Py_INCREF(square)
        PyTuple_SET_ITEM(squares, i, square)
        mask &= mask - 1
        i += 1
    return squares


def beside(mask):
    cdef u128 squares = word(mask)
    return number(around(squares) & ~squares)


# -- flood fill -------------------------------------------------------------------------------------------------------


def closed(free, tile, int largest):
    cdef u128 ground = word(free), laid = word(tile)
    cdef u128 seeds = around(laid) & ground, space, grown
    cdef list areas = []
    while seeds:
        space = seeds & (~seeds + 1)
        while True:  # a space that is too large is left as soon as that shows; another seed may meet it again
            grown = space | (around(space) & ground)
            if grown == space or count(space) > largest:
                break
            space = grown
        seeds &= ~space
        if count(space) <= largest:
            areas.append(number(space))
    return tuple(areas)


# -- placements -------------------------------------------------------------------------------------------------------


def placements(free, shapes, among):
    cdef u128 ground = word(free), wanted = word(among), shape, rest, fits, meets
    cdef int[LARGEST_TILE] cells
    cdef int n, i, width, corner
    cdef list found = []
    cdef tuple squares
    cdef object square
    for each in shapes:
        shape = word(each)
        if not 0 < count(shape) <= LARGEST_TILE:
            raise OverflowError("a tile of too many squares, or of none")
        n, width, rest, fits, meets = 0, 0, shape, SITE, 0
        while rest:  # all corners at once: bit s of `fits` says that the shape moved by s lies on free ground
            i = first(rest)
            rest &= rest - 1
            cells[n] = i
            n += 1
            width = max(width, i % SIDE)
            fits &= ground >> i
            meets |= wanted >> i
        fits &= meets & COLUMNS[SIDE - width]
        while fits:
            corner = first(fits)
            fits &= fits - 1
            squares = PyTuple_New(n)
            for i in range(n):
                square = NUMBERS[corner + cells[i]]
                Py_INCREF(square)
                PyTuple_SET_ITEM(squares, i, square)
            found.append(squares)
    return found
