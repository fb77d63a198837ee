"""A match that goes on from an earlier step after a proven cheat: its persons are told first, and what is void stays in their files."""

import pytest
from adversaries import liar
from mastaba.cli.show import show_of
from mastaba.cli.story import Story
from mastaba.net.verify import verify
from memory import remembered

SEEDS = (8, 25, 102)  # matches with a liar in which honest seats had come further than all could agree on


def played(seed, monkeypatch):
    """The match's net, and what each honest seat's person was told of going back: (lines, how many matches there had been then)."""
    stories, told, heal = {}, {}, liar.heal

    def look(net):
        for session in net.sessions:
            story = stories.setdefault(session.me, Story(show_of(session.roster.game)))
            before = len(session.chain.past)
            lines = story.update(session.snapshot())
            if any("What is undone" in text for text in lines):
                told[session.me] = lines, before, session.snapshot().undone
        heal(net)

    monkeypatch.setattr(liar, "heal", look)
    with remembered():
        net, honest, outcome = liar._play(seed)
    liar.judge(net, honest, outcome)
    assert not outcome.wrong
    return net, [net.sessions[seat] for seat in honest], told


@pytest.mark.parametrize("seed", SEEDS)
def test_a_person_is_told_what_is_undone_before_the_program_goes_back(seed, monkeypatch):
    _net, honest, told = played(seed, monkeypatch)
    back = [s for s in honest if s.chain.undone]
    assert back
    for session in back:
        lines, matches, undone = told[session.me]
        assert matches == 0, "it was said when it had been done"
        assert undone == session.chain.undone
        first = next(i for i, text in enumerate(lines) if "What is undone" in text)
        assert "From here the match goes on anew." in lines[first + 2 :]
    assert set(told) >= {s.me for s in back}


@pytest.mark.parametrize("seed", SEEDS)
def test_what_a_next_match_makes_void_stays_in_the_own_file_and_the_rest_is_equal(seed, monkeypatch):
    net, honest, _ = played(seed, monkeypatch)
    assert all(s.chain.past for s in honest)
    assert any(s.chain.void for s in honest)
    assert len({s.transcript() for s in honest}) == 1
    for session in honest:
        own = session.transcript(with_void=True)
        assert own.startswith(session.transcript())
        report = verify(own, lambda roster: net.match.table())
        assert report.ok, report.fault
        assert report.void == len(session.chain.void)
