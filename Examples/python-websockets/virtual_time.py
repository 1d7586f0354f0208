"""An asyncio event loop whose clock Squall can set, so that a run skips the time in which nothing happens."""

import asyncio
import math
import selectors


class VirtualTimeLoop(asyncio.SelectorEventLoop):
    """Follows real time until the first `advance`. Work on other threads is not noticed: it must end before the next one."""

    def __init__(self):
        super().__init__(IdleSelector(self))
        self.start = None  # the real time of the first `advance`
        self.now = 0  # what `advance` has set, in seconds
        self.answer = None  # called once the loop can only wait

    def time(self):
        return super().time() if self.start is None else self.start + self.now

    def advance(self, now, answer):
        """Sets the time to `now`, in nanoseconds. Calls `answer` with the time of the next timer, or None."""
        if self.start is None:
            self.start = super().time()
        self.now, self.answer = now / 1e9, answer

    def idle(self, timeout):
        """The loop would wait for `timeout` seconds, or for input only if it is None."""
        if self.answer:
            answer, self.answer = self.answer, None
            answer(None if timeout is None else math.ceil((self.now + timeout) * 1e9))


class IdleSelector(selectors.DefaultSelector):
    """Tells the loop when it would wait, and then waits for input alone."""

    def __init__(self, loop):
        super().__init__()
        self.loop = loop

    def select(self, timeout=None):
        if self.loop.start is None or timeout is not None and timeout <= 0:
            return super().select(timeout)
        ready = super().select(0)
        if ready:
            return ready
        self.loop.idle(timeout)
        return super().select(None)
