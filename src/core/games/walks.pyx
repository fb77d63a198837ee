# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Paths through a walled grid on machine words: a set of squares is 128 bits, a step is a few shifts.  It knows no game.

A square is row * columns + column.  The twin in plain Python is in the tests.
"""

from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.object cimport PyObject
from cpython.ref cimport Py_INCREF
from cpython.tuple cimport PyTuple_New

cdef extern from *:
    """
    typedef unsigned __int128 u128;
    #define BIT(i) ((u128)1 << (i))
    #define LOW(s) ((unsigned long long)(s))
    #define HIGH(s) ((unsigned long long)((s) >> 64))
    #define BITS(word) __builtin_popcountll(word)
    #define LOWEST(word) __builtin_ctzll(word)
    #define FIRST(s) (LOW(s) ? LOWEST(LOW(s)) : 64 + LOWEST(HIGH(s)))
    """
    ctypedef unsigned long long u128  # wider than that: never turned into a Python integer
    u128 BIT(int) nogil
    unsigned long long LOW(u128) nogil
    unsigned long long HIGH(u128) nogil
    int BITS(unsigned long long) nogil
    int LOWEST(unsigned long long) nogil
    int FIRST(u128) nogil


cdef extern from "Python.h":
    ctypedef struct PyTupleObject:
        PyObject *ob_item[1]


SQUARES = 128
FAR = 255


NUMBERS = tuple(range(SQUARES))
cdef PyObject **_number = (<PyTupleObject *>NUMBERS).ob_item


cdef tuple _squares(u128 squares):
    """The set as a tuple, ascending; its numbers are shared with NUMBERS, which lives as long as the module."""
    cdef unsigned long long low = LOW(squares), high = HIGH(squares)
    cdef Py_ssize_t i = 0
    out = PyTuple_New(BITS(low) + BITS(high))
    cdef PyObject **item = (<PyTupleObject *>out).ob_item
    while low:
        item[i] = _number[LOWEST(low)]
        Py_INCREF(<object>item[i])
        low &= low - 1
        i += 1
    while high:
        item[i] = _number[64 + LOWEST(high)]
        Py_INCREF(<object>item[i])
        high &= high - 1
        i += 1
    return out


cdef class Maze:
    """Squares with open sides; `closed` squares can be left but never entered."""

    cdef u128 right, down, closed
    cdef int columns, size
    cdef readonly tuple walls

    def __init__(self, int columns, int rows, right, down, closed):
        if not (1 <= columns and 1 <= rows and columns * rows <= SQUARES):
            raise ValueError(f"a grid has 1 to {SQUARES} squares")
        self.columns, self.size = columns, columns * rows
        self.walls = (columns, rows, tuple(right), tuple(down), tuple(closed))
        self.right = self.down = self.closed = 0
        for square in self.walls[2]:
            self._check(square)
            if square % columns == columns - 1:
                raise ValueError(f"nothing lies to the right of square {square}")
            self.right |= BIT(square)
        for square in self.walls[3]:
            self._check(square)
            self._check(square + columns)
            self.down |= BIT(square)
        for square in self.walls[4]:
            self._check(square)
            self.closed |= BIT(square)

    def __reduce__(self):
        return Maze, self.walls

    cdef int _check(self, int square) except -1:
        if not 0 <= square < self.size:
            raise ValueError(f"no square {square}")
        return 0

    cdef u128 _barred(self, int mummy) except? 0:
        if mummy == -1:
            return self.closed
        self._check(mummy)
        return self.closed | BIT(mummy)

    cdef u128 _step(self, u128 here) noexcept nogil:
        return (
            ((here & self.right) << 1) | ((here >> 1) & self.right)
            | ((here & self.down) << self.columns) | ((here >> self.columns) & self.down)
        )

    def ends(self, int origin, int steps, int mummy=-1):
        """The squares, ascending, where a walk of exactly `steps` steps ends; neither closed squares nor `mummy` are entered."""
        self._check(origin)
        cdef u128 free = ~self._barred(mummy), here = BIT(origin)
        cdef int _i
        for _i in range(steps):
            here = self._step(here) & free
        return _squares(here)

    def within(self, int origin, int steps, int mummy=-1):
        """The other squares, ascending, that 1 to `steps` steps lead to."""
        self._check(origin)
        cdef u128 free = ~self._barred(mummy), here = BIT(origin), found = here, fresh = here
        cdef int _i
        for _i in range(steps):
            fresh = self._step(fresh) & free & ~found
            if not fresh:
                break
            found |= fresh
        return _squares(found & ~here)

    def distances(self, int origin, int mummy=-1):
        """Steps from `origin` to every square, a byte each; FAR (255) where no path leads."""
        self._check(origin)
        cdef u128 free = ~self._barred(mummy), fresh = BIT(origin), found = fresh, rest
        cdef unsigned char far[128]
        cdef int i, steps = 0
        for i in range(self.size):
            far[i] = FAR
        while fresh:
            rest = fresh
            while rest:
                far[FIRST(rest)] = steps
                rest &= rest - 1
            fresh = self._step(fresh) & free & ~found
            found |= fresh
            steps += 1
        return PyBytes_FromStringAndSize(<char *>far, self.size)

    def slide(self, int origin, int direction, int mummy=-1):
        """The squares passed, in order, straight up (0), down (1), left (2) or right (3) until a wall, closed square or `mummy`."""
        self._check(origin)
        cdef u128 free = ~self._barred(mummy), here = BIT(origin)
        path = []
        while True:
            if direction == 0:
                here = (here >> self.columns) & self.down
            elif direction == 1:
                here = (here & self.down) << self.columns
            elif direction == 2:
                here = (here >> 1) & self.right
            elif direction == 3:
                here = (here & self.right) << 1
            else:
                raise ValueError(f"no direction {direction}")
            here &= free
            if not here:
                return tuple(path)
            path.append(FIRST(here))

    def shut(self, squares, int mummy=-1):
        """Those of `squares` from which no step is possible, in their order."""
        cdef u128 free = ~self._barred(mummy)
        out = []
        for square in squares:
            self._check(square)
            if not self._step(BIT(square)) & free:
                out.append(square)
        return tuple(out)
