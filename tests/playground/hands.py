"""The hands and eyes of a person at the playground, in a real browser."""

import contextlib
import os
import signal
import time

import numpy as np

# Which cells carry hatch on the screen, read from the pixels of the canvas. A stroke is drawn in
# the frame after the pointer's events, so two frames must pass before the picture counts.
HATCHED = """async ([view, rows, columns]) => {
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
    const canvas = document.querySelectorAll(".painter-hatch")[view];
    const { width, height } = canvas;
    const { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
    const hatched = Array.from({ length: rows }, () => Array(columns).fill(0));
    for (let y = 0; y < height; y++)
        for (let x = 0; x < width; x++)
            if (data[4 * (y * width + x) + 3])
                hatched[Math.floor((y * rows) / height)][Math.floor((x * columns) / width)] = 1;
    return hatched;
}"""

IN_FORCE = "lab.session.do(lambda: lab.session.pages.grid(lab.session.loop.frozen).tolist())"
MASKS = f"[lab.frozen.tolist(), {IN_FORCE}]"
APPLIED = "max(lab.painter.applied.values(), default=0)"


def unfold(widget):
    """Unfold *More tools* of a widget, if nobody has, and wait until they are there."""
    button = widget.get_by_role("button", name="More tools")
    if button.get_attribute("aria-expanded") == "false":
        button.click()
    widget.get_by_role("group", name="More tools").wait_for()


class Hands:
    """The hands and eyes of a person at the playground."""

    def __init__(self, notebook, view=0):
        self.notebook, self.page, self.view = notebook, notebook.page, view
        self.widget = self.page.locator(".painter").nth(view)
        self.grid = self.widget.locator(".painter-grid[style]")
        self.grid.wait_for(timeout=90_000)  # a page that is loaded anew beside a busy kernel
        self.rows, self.columns = self.python("lab.frozen.shape")
        self.applied = 0  # the last operation that had been carried out when all had settled
        self.grid.scroll_into_view_if_needed()

    def python(self, expression, setup=""):
        return self.notebook.python(expression, setup)

    def button(self, name):
        return self.page.locator(".jp-OutputArea button", has_text=name).nth(self.view)

    def unfold(self):
        """Unfold *More tools*; return these hands."""
        unfold(self.widget)
        return self

    def place(self, row, column):
        """Where a cell's middle, or any place in cells, lies on the screen."""
        box = self.widget.locator(".painter-picture").bounding_box()
        x = box["x"] + (column + 0.5) * box["width"] / self.columns
        return x, box["y"] + (row + 0.5) * box["height"] / self.rows

    def layout(self):
        """Where the grid lies in the widget, and how tall this is, however far one has scrolled."""
        box, (x, y) = self.widget.bounding_box(), self.place(0, 0)
        return x - box["x"], y - box["y"], box["height"]

    def stand_still(self):
        """Wait until nothing above the grid moves it any more."""
        before, now = None, self.place(0, 0)
        while before != now:
            self.page.evaluate("() => new Promise(requestAnimationFrame)")
            before, now = now, self.place(0, 0)

    def drag(self, *cells, thaw=False):
        """Drag in straight lines through the middles of the given cells."""
        self.grid.scroll_into_view_if_needed()
        self.stand_still()
        if thaw:
            self.page.keyboard.down("Shift")
        self.page.mouse.move(*self.place(*cells[0]))
        self.page.mouse.down()
        for cell in cells[1:]:
            self.page.mouse.move(*self.place(*cell), steps=6)
        self.page.mouse.up()
        if thaw:
            self.page.keyboard.up("Shift")

    @property
    def frozen(self):
        return np.array(self.python("lab.frozen.tolist()"))

    @property
    def pixels(self):
        asked = [self.view, self.rows, self.columns]
        return np.array(self.page.evaluate(HATCHED, asked), bool)

    def settle(self, operated=False):
        """Wait until screen, Python and TensorFlow have one mask, and return it.

        With `operated`, something was asked for that only Python can do, such as undo: until it has
        been done all agree as well, on the mask as it was before.
        """
        for _ in range(60):
            pixels = self.pixels
            before, *masks, applied = self.python(f"[{APPLIED}, *{MASKS}, {APPLIED}]")
            frozen, in_force = np.array(masks)
            # An operation carried out between two of the readings counts for the next round.
            done = before == applied and (applied > self.applied or not operated)
            if done and np.array_equal(pixels, frozen) and np.array_equal(frozen, in_force):
                self.applied = applied
                return frozen
            time.sleep(0.03)
        masks = np.stack([pixels, frozen, in_force]) * 1
        raise AssertionError(f"screen, Python, TensorFlow:\n{masks}")

    def settle_to(self, wanted):
        """Settle until `wanted` is true of the mask, for some time at the most, and return it."""
        for _ in range(60):
            frozen = self.settle()
            if wanted(frozen):
                break
            time.sleep(0.05)
        return frozen

    @contextlib.contextmanager
    def stopped_kernel(self):
        """Meanwhile the kernel stands still, and answers nobody."""
        kernel = self.python("__import__('os').getpid()")
        os.kill(kernel, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(kernel, signal.SIGCONT)

    def until(self, expression, seconds=90):
        """Wait until Python says True to it."""
        end = time.monotonic() + seconds
        while not self.python(expression):
            assert time.monotonic() < end, f"{expression} never came true"
            time.sleep(0.2)

    def wait_for_leaks(self, text):
        self.widget.locator(".painter-leaks", has_text=text).wait_for(timeout=90_000)
