"""A guided beginning of each game against a bot: a few words at each of the first decisions; it draws nothing."""

from collections.abc import Mapping

from ..core.rules import Choose, ChooseAll
from ..core.view import Snapshot
from .text import N_, _

# by game and kind of decision (the name of its moves; "square" for a hidden move): what is said the first time, the second, ...
LESSONS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "loot": {
        "actions": (
            N_(
                "The colour of a card's back says how dangerous it is and how much it pays: red most, green least. You have no cards,"
                " so you loot: type loot 1, or press Down and Enter."
            ),
            N_(
                "Only you see the face of your card. Treasures score; a guardian on it is a danger. Loot once more: a kind of treasure"
                " on two of your cards counts double."
            ),
            N_(
                "run scores all your cards. Until you run, others may awaken your guardians, and you would lose the cards; an amulet"
                " holds one guardian. Beside run stands what it scores."
            ),
            N_(
                "awaken reveals another player's cards. With more guardians than amulets he loses them and you gain what the guardians"
                " give; else he scores. Look at the backs first."
            ),
            N_("That is the whole game. F2, or the word check, shows what your program has verified. Play on, or leave with q."),
        ),
        "keeps": (N_("Your Werewolf draws cards for you: choose what you keep."),),
    },
    "crypt": {
        "turns": (
            N_(
                "Your servants are three dice. claim 1:2 puts one die of effort 2 on the first treasure. More effort is harder to push"
                " out, but may exhaust the die; effort 1 never does."
            ),
            N_(
                "To push somebody out, your dice times your effort must be more than his. claim 1:3x2 puts two dice of effort 3. Who is"
                " pushed out of everything recovers for nothing."
            ),
            N_(
                "recover makes your exhausted dice free again, and is a whole turn. Who has Lights Out comes last: he can claim one"
                " treasure only, but nobody answers him."
            ),
            N_("Each type has a collector who pays for it in his own way. hand shows your treasures, help what can be done now."),
            N_("That is the whole game: most coins win when the deck is empty. Play on, or leave with q."),
        ),
        "befores": (N_("Before the claims you may take a face-down treasure for two Pottery. done goes on without."),),
        "rerolls": (N_("A die was exhausted. An Idol that you turn lets you roll it again. done keeps the roll."),),
        "afters": (N_("Two Remains that you turn make an exhausted die free. done goes on without."),),
    },
    "scarabya": {
        "pieces": (
            N_("You lay the site for everybody, out of four boards. Type lot to leave it to chance, or press Enter for the board shown."),
        ),
        "placements": (
            N_(
                "All place the same tile at once, each on his own site. Arrows move it, space turns it, / flips it, Enter places it."
                " The first one covers a centre square: 44 45 54 55."
            ),
            N_(
                "Later tiles touch one of yours along a side. A closed space of four squares or fewer is dug out: each scarab in it"
                " scores as many points as it has squares."
            ),
            N_("So close spaces of four squares with scarabs in them, and cover no scarab if you can. F4 shows the other site."),
            N_("That is the whole game: twelve tiles, most points win. Play on, or leave with q."),
        ),
    },
    "pyramid": {
        "picks": (
            N_(
                "You are a hunter; the mummy does not see you. Your missions name symbols on the map. Choose a die: its number is walked"
                " in full, the arrow goes on to an obstacle."
            ),
            N_("The mummy learns only which number you chose. Each mummy among the dice gives it one step more: do not roll too often."),
            N_("That is a hunter's whole turn. The first to play all missions wins. Play on, or leave with q."),
        ),
        "square": (N_("Type the square where you end, for example g7, or move the pointer: it stops where the die can lead."),),
        "cards": (
            N_(
                "If you stand on the symbol of a mission you may play it: it counts, but then everybody sees where you are. You are asked"
                " after every move, whether you can or not; pass plays nothing."
            ),
        ),
        "resets": (N_("reset gives you all five dice again, but the mummy moves first, one step for each die that shows it."),),
        "paces": (
            N_("You are the mummy: walk step by step. After each step the hunters prove whether one of them is there. stop ends the walk."),
            N_("Where a hunter was or was not is in the log. With enough tokens you win. Play on, or leave with q."),
        ),
    },
}


class Guide:
    """Which lesson belongs to the decision at hand; each is said once, and stays until the next decision."""

    def __init__(self) -> None:
        self._decision, self._text = (-1, 0), ""
        self._asked: dict[str, int] = {}

    def __call__(self, snapshot: Snapshot) -> str:
        """The lesson, in the language in use; empty if there is none."""
        if snapshot.asked and snapshot.decision != self._decision:
            request = snapshot.view.asked()
            kind = request.moves if isinstance(request, Choose | ChooseAll) else "square"
            said = self._asked.get(kind, 0)
            lessons = LESSONS.get(snapshot.view.rules.NAME, {}).get(kind, ())
            self._asked[kind] = said + 1
            self._decision, self._text = snapshot.decision, _(lessons[said]) if said < len(lessons) else ""
        return self._text
