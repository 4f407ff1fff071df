"""A model on a board: lines of code are run on it, and the tiles that they move light up."""

import functools

from helpers.board.lines import outcome
from helpers.board.rows import joined, rows_of
from helpers.board.tiles import Tiles
from helpers.names import known
from helpers.pictures import board as drawing
from helpers.pictures import plots
from helpers.widget.one_per_cell import close_former

LINE = 50  # characters, of a line that is printed with what it led to
# Bets and what moved, where nothing has been judged.
NOTHING: tuple[frozenset[str], ...] = frozenset(), frozenset()


class Board:
    """A model whose variables stand on tiles. Buttons run lines of code; tiles that move light up.

    names    what the lines may use: a dict, usually `globals()`. What they assign themselves stays
             on the board: `model = …` leaves the page's own `model` alone.
    start    the lines that make the model; Start over runs them again
    prepare  lines that can be pressed and do not train, such as "compile(model)"
    train    lines that can be pressed and train, after which bets are judged
    show     the names of what stands on the board: models, layers, optimizers, variables

    A layer and a variable have a switch that sets `trainable`, by a line as well. `moved` has the
    keys of the tiles in which a bit changed when something last trained, and is None before; `bets`
    has those of which the reader says that they will move next; `log` what was run.
    """

    def __init__(self, names, start, prepare=(), train=(), show=("model",)):
        self._outside, self._start, self._show = names, start, list(show)
        self._buttons = {"prepare": list(prepare), "train": list(train)}
        self.bets = set()
        self._begin()
        self.widget = Tiles(self.state, self._press)
        close_former(self)

    def __getitem__(self, name):
        """Return what a name stands for on the board."""
        return self._own[name]

    @property
    def rows(self):
        """What stands on the board now, a list of Rows."""
        shown = [name for name in self._show if name in self._own]
        return joined(row for name in shown for row in rows_of(name, self._own[name]))

    @property
    def tiles(self):
        """The Tiles on the board, by their keys."""
        return {tile.key: tile for row in self.rows for tile in row.tiles}

    @property
    def verdict(self):
        """What became of the bets when something last trained, as sets of keys: those that were
        right, those that moved without a bet, those that did not move. Empty until it is known."""
        bets, moved = self._judged
        return bets & moved, moved - bets, bets - moved

    @property
    def state(self):
        """All that is shown, in dicts and lists."""
        kinds = zip(("right", "missed", "wrong"), self.verdict)
        marks = {key: kind for kind, keys in kinds for key in keys}
        rows = [
            {**_told(row), "tiles": [self._told_tile(tile, marks) for tile in row.tiles]}
            for row in self.rows
        ]
        return {"rows": rows, "buttons": self._buttons, "log": list(self.log)}

    def run(self, *lines):
        """Run lines of code, as presses of their buttons do, and print what each led to. What goes
        wrong is told there, too; nothing is raised."""
        for line in lines:
            self._run(line)
            print(f"{line:{LINE}} {self.log[-1]['told']}".rstrip())
        self._refresh()

    def switch(self, key):
        """Turn the flag of a layer or a variable over, by its key, as its switch does."""
        switches = self._switches()
        self.run(_turned(switches[known("layer or variable", key, switches)]))

    def bet(self, *keys):
        """Bet that just these tiles move when something trains next. ValueError: unknown key."""
        tiles = self.tiles
        self.bets, self._judged = {known("tile", key, tiles) for key in keys}, NOTHING
        self._refresh()

    def reset(self):
        """Start over: make the model anew, and forget what was run. Bets stay."""
        self._begin()
        self._refresh()

    def close(self):
        """Take the board off the page; a second time, do nothing."""
        self.widget.close()

    def picture(self):
        """Return the board as it stands, as a picture for a notebook."""
        return plots.image(drawing.draw(self.state))

    def _begin(self):
        self._own, self.log, self.moved, self._judged = {}, [], None, NOTHING
        self._with_names(functools.partial(exec, self._start))

    def _with_names(self, execute):
        """Let `execute` use the page's names and the board's own, and keep what it assigns."""
        names = {**self._outside, **self._own}
        result = execute(names)
        page, nowhere = self._outside, object()
        self._own = {
            key: thing for key, thing in names.items() if page.get(key, nowhere) is not thing
        }
        return result

    def _run(self, line):
        """Run a line, and note what it led to."""
        before = self.tiles
        bits = {key: tile.bits for key, tile in before.items()}
        said, failed = self._with_names(functools.partial(outcome, line))
        now = {key: tile for key, tile in self.tiles.items() if key in before}
        moved = {key for key, tile in now.items() if tile.bits != bits[key]}
        turned = [key for key, tile in now.items() if tile.trainable is not before[key].trainable]
        trained = bool(moved) or (line in self._buttons["train"] and not failed)
        if trained:
            self.moved, self._judged = moved, (set(self.bets), moved) if self.bets else NOTHING
        elif any(tile.value is not before[key].value for key, tile in now.items()):
            self.moved, self._judged = None, NOTHING  # other variables, which have not moved yet
        sentences = [f"{len(moved)} of {len(now)} moved"] if trained else []
        sentences += [f"{len(turned)} of {len(now)} flags changed"] if turned else []
        sentences += [said] if said else []
        told = {"line": line, "told": "; ".join(sentences), "failed": failed}
        self.log.append({**told, "turned": bool(turned)})

    def _switches(self):
        """Return the layers and variables whose flag can be turned over, by their keys."""
        things = [thing for row in self.rows for thing in (row, *row.tiles)]
        return {thing.key: thing for thing in things if thing.lockable}

    def _press(self, what, key):
        """Do what was pressed in a browser; what is not on the board means nothing."""
        switches = self._switches()
        if what == "run" and any(key in keys for keys in self._buttons.values()):
            self._run(key)
        elif what == "switch" and key in switches:
            self._run(_turned(switches[key]))
        elif what == "bet" and key in self.tiles:
            self.bets, self._judged = self.bets ^ {key}, NOTHING
        elif what == "reset":
            self._begin()
        self._refresh()

    def _refresh(self):
        self.widget.state = self.state

    def _told_tile(self, tile, marks):
        """Return a Tile in a dict: also whether it moved, whether there is a bet on it, and its
        mark."""
        moved = None if self.moved is None else tile.key in self.moved
        mark, bet = marks.get(tile.key, ""), tile.key in self.bets
        return {**_told(tile), "moved": moved, "bet": bet, "mark": mark}

    def __repr__(self):
        return f"Board with {len(self.tiles)} tiles"

    def _repr_mimebundle_(self, **_):
        """Return the live widget, and a picture for readers without a kernel."""
        view, _ = self.widget._repr_mimebundle_()
        picture = plots.png(drawing.draw(self.state))
        return {**view, "text/plain": repr(self), "image/png": picture}


def _told(thing):
    """Return what a Row or a Tile shows, in a dict."""
    names = ("key", "name", "about", "depth", "trainable", "lockable")
    return {name: getattr(thing, name) for name in names}


def _turned(thing):
    """Return the line that turns a flag over."""
    return f"{thing.code}.trainable = {not thing.trainable}"
