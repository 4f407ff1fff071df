"""A drag over a painter in a real browser, and what its page notes of it."""

import bisect
import math
import random
import time

import numpy as np

# Listens to what the painter tells its page, and notes when it stood on the screen: the frame
# after the one in which it was drawn has begun.
PROBE = """() => {
    const log = (window.probe = { drawn: [], operations: [], frames: [], ticks: [] });
    document.addEventListener("painter:drawn", ({ detail }) => {
        log.operations.push([detail.seq, performance.timeOrigin + detail.moved]);
        requestAnimationFrame(() => log.drawn.push(performance.now() - detail.moved));
    });
    document.addEventListener("painter:frame", () => log.frames.push(performance.now()));
    const tick = (now) => { log.ticks.push(now); requestAnimationFrame(tick); };
    requestAnimationFrame(tick);
}"""
CLEAR = "() => { for (const list of Object.values(window.probe)) list.length = 0; }"


def drag(page, seconds, seed, selector=".painter-grid"):
    """Drag over the grid in a random walk, in which every other second the strokes thaw; return
    what the PROBE has noted of it, in ms."""
    wander = random.Random(seed)
    box = page.locator(selector).bounding_box()
    x, y = box["width"] / 2, box["height"] / 2
    page.evaluate(CLEAR)
    began = time.perf_counter()
    angle = 0.0
    while (elapsed := time.perf_counter() - began) < seconds:
        thaw = int(elapsed) % 2 == 1
        if thaw:
            page.keyboard.down("Shift")
        else:
            page.keyboard.up("Shift")
        page.mouse.move(box["x"] + x, box["y"] + y)
        page.mouse.down()
        while time.perf_counter() - began < min(seconds, int(elapsed) + 1):
            angle += wander.uniform(-0.6, 0.6)
            x = min(max(x + 9 * math.cos(angle), 2), box["width"] - 3)
            y = min(max(y + 9 * math.sin(angle), 2), box["height"] - 3)
            page.mouse.move(box["x"] + x, box["y"] + y)
        page.mouse.up()
    page.keyboard.up("Shift")
    return page.evaluate("window.probe")


def each_second(ticks):
    """Return animation frames a second, second by second or so."""
    apart = np.diff(ticks)
    return [1000 / apart[i : i + 60].mean() for i in range(0, len(apart) - 60, 60)]


def waits(operations, log):
    """Return the milliseconds from each pointer event to what was the first to obey it.

    `operations` are pairs of an operation's number and the event's time in ms; `log` has pairs of a
    time in ms and the number of the last operation that was obeyed then, in their order.
    """
    obeyed = [last for _, last in log]
    first = [(bisect.bisect_left(obeyed, number), at) for number, at in operations]
    return [log[i][0] - at for i, at in first if i < len(log)]
