"""A lobby that stays open for hours, for tests: the clock of a whole process jumps ahead a minute twenty times a second.

hours.py stays     the opener is there all the time
hours.py killed    the opener says no good-bye

It prints after how many minutes the table was gone, or "there" after two hours.
"""

import time


class Clock:
    """The real one, and what it was put ahead."""

    def __init__(self) -> None:
        self.ahead, self._real = 0.0, time.monotonic

    def __call__(self) -> float:
        return self._real() + self.ahead


time.monotonic = clock = Clock()  # before the event loop and zeroconf take it

import asyncio  # noqa: E402
import os  # noqa: E402
import sys  # noqa: E402

from mastaba.net.discovery import Discovery, TableAd  # noqa: E402


async def main(fate: str) -> str | int:
    tag = os.urandom(6).hex()
    seeker, opener = Discovery(tag=tag), Discovery(tag=tag)
    await seeker.start(loopback=True)
    await opener.start(loopback=True)
    assert opener._zeroconf
    opener.announce(TableAd("00" * 8, "Ana", "loot", 1, 2, "open"), 24642)
    while not opener._info or not seeker.tables():
        await asyncio.sleep(0.05)
    if fate == "killed":
        opener._tasks["publish"].cancel()
        assert opener._browser
        await opener._browser.async_cancel()
        opener._zeroconf.zeroconf.engine._async_shutdown()
    try:
        for minute in range(1, 121):
            clock.ahead += 60
            await asyncio.sleep(0.05)  # answers come as fast as ever
            if not seeker.tables():
                return minute
        return "there"
    finally:
        await seeker.close()
        if fate == "stays":
            await opener.close()


if __name__ == "__main__":
    print(asyncio.run(main(sys.argv[1])), flush=True)
