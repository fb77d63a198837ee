"""Lines from a pipe: which came by themselves, and which in one go with others."""

import os
import threading

import pytest
from mastaba.cli.typist import LONGEST, Source


class Pipe:
    """A pipe and who reads it; `say` writes as soon as the reader has looked and found nothing there."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        reader, self.writer = os.pipe()
        self.file = os.fdopen(reader)
        self.looked = threading.Event()
        dry = Source._dry

        def seen(source: Source) -> bool:
            found = dry(source)
            self.looked.set()
            return found

        monkeypatch.setattr(Source, "_dry", seen)
        self.source = Source(self.file)

    def line(self) -> tuple[str | None, bool]:
        return self.source.line(), self.source.alone

    def say(self, text: str) -> tuple[str | None, bool]:
        self.looked.clear()

        def write() -> None:
            self.looked.wait(60)
            os.write(self.writer, text.encode())

        writing = threading.Thread(target=write)
        writing.start()
        found = self.line()
        writing.join()
        return found


@pytest.fixture
def pipe(monkeypatch):
    made = Pipe(monkeypatch)
    yield made
    made.file.close()
    os.close(made.writer)


def test_a_line_that_comes_when_it_is_wanted_and_nothing_waits_came_alone(pipe):
    assert [pipe.say("1\n"), pipe.say("loot 1\n")] == [("1", True), ("loot 1", True)]


def test_lines_that_come_in_one_go_did_not_come_alone_however_late(pipe):
    assert pipe.say("0\n") == ("0", True)
    assert [pipe.say("1\n2\n3\n"), pipe.line(), pipe.line()] == [("1", False), ("2", False), ("3", False)]
    assert pipe.say("4\n") == ("4", True)


def test_what_was_written_before_the_program_began_did_not_come_alone(pipe):
    os.write(pipe.writer, b"1\n")
    pipe.source = Source(pipe.file)
    assert pipe.line() == ("1", False)
    os.write(pipe.writer, b"2\n")  # while the first one waits for its turn
    assert pipe.line() == ("2", False)


def test_after_a_line_that_was_answered_at_once_nothing_has_waited(pipe):
    assert pipe.say("board\n") == ("board", True)
    os.write(pipe.writer, b"1\n")  # as soon as the first word of the answer was there
    assert pipe.line() == ("1", True)


def test_the_end_of_a_line_that_was_cut_belongs_to_what_came_before(pipe):
    text = "1\n" * (LONGEST // 2 - 1) + "x"  # one read ends within a line
    assert pipe.say(text) == ("1", False)
    for _ in range(LONGEST // 2 - 2):
        assert pipe.line() == ("1", False)
    os.write(pipe.writer, b"y\n")
    assert pipe.line() == ("xy", False)
