"""The kernel of squares: the counts of the rules' worked cases, and the same answers as going cell by cell."""

import cell_by_cell as twin
import pytest
from hypothesis import given, strategies as st
from mastaba.core.games import grid
from mastaba.core.games.scarabya_data import CENTRE, SITE, load
from sites import SHIPPED

DATA = load(SHIPPED)
TILES = [name for name, _ in DATA.tiles]
ANYWHERE = dict(F=512, I=120, L=504, N=504, P=576, T=256, U=288, V=256, W=256, X=64, Y=504, Z=256)
AT_CENTRE = dict(F=96, I=24, L=96, N=96, P=88, T=48, U=48, V=48, W=48, X=12, Y=96, Z=48)
ORIENTATIONS = dict(F=8, I=2, L=8, N=8, P=8, T=4, U=4, V=4, W=4, X=1, Y=8, Z=4)

squares = st.integers(0, 99)
site = st.sets(squares, max_size=60) | st.sets(squares, min_size=40)  # covered squares: few and many
tiles = st.sampled_from(TILES)


def cells(mask):
    return {divmod(square, 10) for square in grid.squares_of(mask)}


def test_SX11_placements_on_an_empty_site_without_conditions():
    assert {tile: len(grid.placements(SITE, DATA.shapes(tile), SITE)) for tile in TILES} == ANYWHERE


def test_SX12_placements_that_cover_a_centre_square():
    assert {tile: len(grid.placements(SITE, DATA.shapes(tile), CENTRE)) for tile in TILES} == AT_CENTRE


def test_SX13_orientations():
    assert {tile: len(DATA.shapes(tile)) for tile in TILES} == ORIENTATIONS
    assert sum(ORIENTATIONS.values()) == 63


@given(st.sets(squares))
def test_masks_and_squares_are_each_others_inverse(found):
    mask = grid.mask_of(found)
    assert mask == sum(1 << square for square in found)
    assert grid.squares_of(mask) == tuple(sorted(found))


@given(st.sets(squares))
def test_beside_is_what_shares_a_side_cell_by_cell(found):
    mask = grid.mask_of(found)
    around = {cell for square in cells(mask) for cell in twin.neighbours(square)}
    assert cells(grid.beside(mask)) == around - cells(mask)


@given(site, st.sets(squares, min_size=1, max_size=9), st.integers(1, 8))
def test_closed_finds_the_same_spaces_as_going_cell_by_cell(covered, tile, largest):
    free = SITE & ~grid.mask_of(covered | tile)
    areas = grid.closed(free, grid.mask_of(tile), largest)
    assert len(set(areas)) == len(areas)
    assert {frozenset(cells(area)) for area in areas} == twin.closed(cells(free), [divmod(s, 10) for s in tile], largest)


@given(site, tiles, st.sets(squares, max_size=100))
def test_placements_are_the_same_as_going_cell_by_cell(covered, tile, among):
    free, wanted = SITE & ~grid.mask_of(covered), grid.mask_of(among)
    found = grid.placements(free, DATA.shapes(tile), wanted)
    assert all(placement == tuple(sorted(placement)) for placement in found)
    expected = twin.placements(cells(free), twin.orientations(cells(DATA.shapes(tile)[0])), cells(wanted))
    assert {frozenset(divmod(s, 10) for s in placement) for placement in found} == set(expected)
    assert len(set(found)) == len(found)  # SR8: equal sets of squares are one placement


@pytest.mark.parametrize("tile", TILES)
def test_orientations_are_those_of_the_twin(tile):
    rows = dict(DATA.tiles)[tile]
    drawn = [(r, c) for r, row in enumerate(rows) for c, x in enumerate(row) if x == "#"]
    assert {frozenset(cells(shape)) for shape in DATA.shapes(tile)} == twin.orientations(drawn)


@pytest.mark.parametrize("mask", [-1, 1 << 100, 1 << 200, -(1 << 300)])
def test_what_lies_outside_the_site_is_refused(mask):
    for call in (
        lambda: grid.squares_of(mask),
        lambda: grid.beside(mask),
        lambda: grid.closed(mask, 1, 4),
        lambda: grid.closed(1, mask, 4),
        lambda: grid.placements(mask, (1,), SITE),
        lambda: grid.placements(SITE, (mask,), SITE),
        lambda: grid.placements(SITE, (1,), mask),
    ):
        with pytest.raises(OverflowError):
            call()


@pytest.mark.parametrize("square", [-1, 100, 1 << 40])
def test_a_square_outside_the_site_is_refused(square):
    with pytest.raises(OverflowError):
        grid.mask_of([3, square])


@pytest.mark.parametrize("shape", [0, grid.mask_of(range(11))])
def test_a_tile_of_no_squares_or_too_many_is_refused(shape):
    with pytest.raises(OverflowError):
        grid.placements(SITE, (shape,), SITE)
