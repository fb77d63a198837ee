"""The kernel of walks, slides and distances against its twin in plain Python, on random mazes."""

import pickle
from itertools import pairwise

import pytest
from hypothesis import given, strategies as st
from mastaba.core.games.walks import FAR, SQUARES, Maze

WAYS = ((-1, 0), (1, 0), (0, -1), (0, 1))


class Plain:
    """A maze as a set of pairs of neighbours."""

    def __init__(self, columns, rows, right, down, closed):
        self.columns, self.rows, self.closed = columns, rows, set(closed)
        self.right, self.down = set(right), set(down)
        self.open = {(s, s + 1) for s in right} | {(s, s + columns) for s in down}
        self.open |= {(b, a) for a, b in self.open}

    def free(self, a, b, mummy):
        return (a, b) in self.open and b not in self.closed and b != mummy

    def ends(self, origin, steps, mummy=-1):
        here = {origin}
        for _ in range(steps):
            here = {b for a, b in self.open if a in here and self.free(a, b, mummy)}
        return tuple(sorted(here))

    def distances(self, origin, mummy=-1):
        far, fresh, steps = {origin: 0}, {origin}, 0
        while fresh:
            steps += 1
            fresh = {b for a, b in self.open if a in fresh and self.free(a, b, mummy) and b not in far}
            far.update(dict.fromkeys(fresh, steps))
        return bytes(far.get(square, FAR) for square in range(self.columns * self.rows))

    def slide(self, origin, direction, mummy=-1):
        down, right = WAYS[direction]
        path, here = [], origin
        while True:
            new = here + down * self.columns + right
            side = self.down if down else self.right
            if min(here, new) not in side or new in self.closed or new == mummy:
                return tuple(path)
            path.append(new)
            here = new


@st.composite
def mazes(draw):
    columns = draw(st.integers(1, 16))
    rows = draw(st.integers(1, SQUARES // columns))
    size = columns * rows
    squares = st.sets(st.integers(0, size - 1))
    right = sorted(s for s in draw(squares) if s % columns != columns - 1)
    down = sorted(s for s in draw(squares) if s + columns < size)
    closed = sorted(draw(st.sets(st.integers(0, size - 1), max_size=3)))
    if draw(st.booleans()):  # nearly everything open
        right = [s for s in range(size) if s % columns != columns - 1 and s not in right[:5]]
        down = [s for s in range(size) if s + columns < size and s not in down[:5]]
    return (columns, rows, right, down, closed), draw(st.integers(0, size - 1)), draw(st.integers(-1, size - 1))


@given(mazes(), st.integers(0, 9))
def test_walks_end_where_the_plain_twin_says(maze, steps):
    walls, origin, mummy = maze
    assert Maze(*walls).ends(origin, steps, mummy) == Plain(*walls).ends(origin, steps, mummy)


@given(mazes(), st.integers(0, 9))
def test_distances_and_what_lies_within_agree_with_the_plain_twin(maze, steps):
    walls, origin, mummy = maze
    far = Plain(*walls).distances(origin, mummy)
    assert Maze(*walls).distances(origin, mummy) == far
    assert Maze(*walls).within(origin, steps, mummy) == tuple(s for s, d in enumerate(far) if 0 < d <= min(steps, FAR - 1))


@given(mazes(), st.integers(0, 3))
def test_slides_go_straight_until_something_is_in_the_way(maze, direction):
    walls, origin, mummy = maze
    path = Maze(*walls).slide(origin, direction, mummy)
    assert path == Plain(*walls).slide(origin, direction, mummy)
    down, right = WAYS[direction]
    assert all(b - a == down * walls[0] + right for a, b in pairwise((origin, *path)))


@given(mazes())
def test_who_is_shut_in_has_no_walk_of_one_step(maze):
    walls, _origin, mummy = maze
    squares = range(walls[0] * walls[1])
    assert Maze(*walls).shut(squares, mummy) == tuple(s for s in squares if not Plain(*walls).ends(s, 1, mummy))


@given(mazes())
def test_a_pickled_maze_is_the_same_maze(maze):
    walls, origin, mummy = maze
    twin = pickle.loads(pickle.dumps(Maze(*walls)))
    assert twin.walls == Maze(*walls).walls
    assert twin.distances(origin, mummy) == Maze(*walls).distances(origin, mummy)


@pytest.mark.parametrize(
    "walls",
    [
        (0, 3, [], [], []),
        (12, 11, [], [], []),
        (4, 4, [3], [], []),  # to the right of the last column
        (4, 4, [], [12], []),  # below the last row
        (4, 4, [16], [], []),
        (4, 4, [], [], [-1]),
    ],
)
def test_walls_outside_the_grid_are_refused(walls):
    with pytest.raises(ValueError, match=r"square|grid"):
        Maze(*walls)


def test_squares_and_directions_outside_the_grid_are_refused():
    maze = Maze(4, 4, [0], [0], [])
    for wrong in (-1, 16, 99):
        for call in (lambda s=wrong: maze.ends(s, 1), lambda s=wrong: maze.distances(s), lambda s=wrong: maze.slide(s, 0)):
            with pytest.raises(ValueError, match="no square"):
                call()
    with pytest.raises(ValueError, match="no square"):
        maze.ends(0, 1, 16)
    with pytest.raises(ValueError, match="no direction"):
        maze.slide(0, 4)
