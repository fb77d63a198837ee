"""Completion of typed moves for prompt-toolkit; it knows only the phrases it is given."""

from collections.abc import Callable, Iterable

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

from .cells import fold


class Words(Completer):
    """Completes the whole line to one of the phrases that can be typed now."""

    def __init__(self, phrases: Callable[[], tuple[str, ...]]) -> None:
        self._phrases = phrases

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        start = document.text_before_cursor
        for phrase in self._phrases():
            if fold(phrase).startswith(fold(start)):
                yield Completion(phrase, start_position=-len(start))
