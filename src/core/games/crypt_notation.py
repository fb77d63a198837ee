"""The Crypt's moves as text, and which plain data has the shape of a move; knows no position.

Numbers in text count from 1, in moves from 0; efforts and numbers of dice are what they are.
"""

import re

from ..rules import Move

MOVES: dict[str, tuple[str, ...]] = {  # the verbs of each question
    "befores": ("done", "take", "look", "heal"),
    "turns": ("recover", "claim", "look", "heal"),
    "rerolls": ("done", "reroll"),
    "afters": ("done", "heal"),
}
NUMBERS = {"recover": 0, "done": 0, "look": 1, "heal": 2, "take": 3, "reroll": 2}  # how many numbers follow
PART = re.compile(r"([1-9]):([1-9])(?:x([1-9]))?")
MOST_PARTS = 8  # a claim names no more treasures than a row can have


def show(move: Move) -> str:
    """The move in the notation that `parse` reads."""
    verb, *rest = move
    if verb == "claim":
        return " ".join(["claim", *(f"{place + 1}:{effort}" + (f"x{dice}" if dice != 1 else "") for place, effort, dice in rest)])
    if verb == "reroll":
        return f"reroll {rest[0] + 1} {rest[1]}"
    return " ".join([verb, *(str(number + 1) for number in rest)])


def parse(text: str) -> Move:
    """The move that the text denotes; raises ValueError if it denotes none.  The treasures of a claim come in any order."""
    verb, *words = text.lower().split() or [""]
    if verb == "claim" and 1 <= len(words) <= MOST_PARTS:
        found = [PART.fullmatch(word) for word in words]
        if all(found):
            return ("claim", *sorted((int(m[1]) - 1, int(m[2]), int(m[3] or 1)) for m in found if m))
    elif verb in NUMBERS and len(words) == NUMBERS[verb] and all(re.fullmatch("[1-9][0-9]?", word) for word in words):
        numbers = [int(word) - 1 for word in words]
        if verb == "reroll":
            return (verb, numbers[0], numbers[1] + 1)
        return (verb, *sorted(numbers[:2]), *numbers[2:])
    raise ValueError("no move of The Crypt")


def shaped(move: object) -> bool:
    """Has the plain data the form of a move: a verb and as many exact integers as it takes, or the parts of a claim?"""
    if type(move) is not tuple or not move or type(move[0]) is not str:
        return False
    if move[0] == "claim":
        return 1 < len(move) <= 1 + MOST_PARTS and all(
            type(part) is tuple and len(part) == 3 and all(type(number) is int for number in part) for part in move[1:]
        )
    return len(move) == 1 + NUMBERS.get(move[0], -1) and all(type(number) is int for number in move[1:])
