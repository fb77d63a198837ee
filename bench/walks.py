"""Rows of the kernel of paths: squares within k steps on Pyramid's map, beside networkx on the same graph."""

import tomllib
from importlib.resources import files

import networkx
from mastaba.core.games.pyramid_data import Board, load

from .rows import Row, row, seconds

STEPS = range(1, 9)
ROUNDS = 20  # rounds over all squares in one timed job of ours: one call is shorter than the clock's grain
RUNS = 15


def rows() -> list[Row]:
    board = load(tomllib.loads((files("mastaba.core.games") / "data" / "pyramid.toml").read_text())).board
    return [walks(board)]


def walks(board: Board) -> Row:
    """Squares within k steps of every ordinary square, k = 1 to 8 alike."""
    graph: networkx.Graph[int] = networkx.Graph()
    graph.add_nodes_from(board.ordinary)
    graph.add_edges_from((a, b) for a in board.ordinary for b in board.maze.ends(a, 1))
    for steps in STEPS:
        for square in board.ordinary:
            found = set(networkx.single_source_shortest_path_length(graph, square, cutoff=steps)) - {square}
            assert found == set(board.maze.within(square, steps)), (square, steps)

    def ours() -> None:
        within = board.maze.within
        for _ in range(ROUNDS):
            for steps in STEPS:
                for square in board.ordinary:
                    within(square, steps)

    def theirs() -> None:
        for steps in STEPS:
            for square in board.ordinary:
                networkx.single_source_shortest_path_length(graph, square, cutoff=steps)

    mine, peers = seconds(ours, theirs, runs=RUNS)
    calls = 1e6 / len(board.ordinary) / len(STEPS)
    return row("walks", mine / ROUNDS * calls, "us a call, mean of k = 1-8", 1, peer="networkx", peers=peers * calls, ratio_bar=30)
