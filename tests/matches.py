"""Finished matches on disk, as a player has them: a transcript, and beside it what one seat saw."""

from pathlib import Path

from fakenet import Net
from mastaba.net.seen import beside, seen_by

DATA = Path(__file__).parent / "data"
ME = 1  # the seat whose files they are


def match_files(folder: Path, game: str, seats: int = 3) -> tuple[Path, Path, Net]:
    """(transcript, component table, the net that played it)."""
    table = DATA / f"{game}-small.toml"
    net = Net(seats, seed=5, game=game, path=table, first=1)
    net.connect()
    net.run()
    session = net.sessions[ME]
    assert session.table.done
    path = folder / f"{game}.mastaba"
    path.write_bytes(session.transcript())
    beside(path, session.me).write_bytes(seen_by(session).encode())
    return path, table, net
