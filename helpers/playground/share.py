"""A playground as one short line of text, to send to somebody who opens the same one.

    freeze1.digits-0.restore.adam.3.Y2BgAAI.5d3c1a90
    freeze1.digits-0.restore.adam-rate5e-2.3.Y2BgAAI.670ef340

The line names its format, the task with its seed and sizes, technique, optimizer and page; then
come the masks of all pages, and a checksum of what stands before it. Behind the optimizer stand the
knobs that are turned, each number as its digits and a power of ten.
"""

import inspect
import re
import zlib
from decimal import Decimal

import numpy as np

from helpers import home, masks
from helpers.names import known
from helpers.optimizers import NAMES, ON_SITE, freezable_optimizer
from helpers.playground import tasks
from helpers.playground.knobs import Knobs
from helpers.playground.settings import KNOBS
from helpers.techniques import TECHNIQUES

FORMAT = "freeze1"
TASKS_OF_SITE = ("digits-0", "snowflake-0-48-48")


def code(lab):
    """Return the line of a playground; ValueError for what no line can hold, see the checks below.

    The masks are those that were painted up to now, of all pages.
    """
    session = lab.session
    session.settle()
    name, arguments = named_task(lab)
    page, now = session.do(lambda: (session.pages.page, session.loop.history.now))
    check_technique(lab, now["technique"])
    check_optimizer(lab, now["optimizer"])
    optimizer = _turned_word(now["optimizer"], now["knobs"])
    frozen = masks.from_text(now["frozen"], lab.task.variable.shape)
    mask = masks.as_text(_pages(lab.task, frozen))
    return _line([_word(name, arguments), now["technique"], optimizer, page, mask])


def link(line):
    """Return the address at which the course's site opens a line; "" while the course has no
    address, and for a task or an optimizer that the site has not. ValueError for another text."""
    task, _, optimizer, *_ = _words(line)
    there = task in TASKS_OF_SITE and _optimizer(optimizer)[0] in ON_SITE
    site = home.site() if there else ""
    return f"{site}#{line}" if site else ""


def opened(make, text, device=None):
    """Make a playground by `make` as the line `text` says, on a device as for Playground.

    White space in the line does not count. ValueError for a line that `code` did not give.
    """
    made, technique, optimizer, page, mask = _words(text)
    task = _made(made)
    name, (seed, *sizes) = task.made_by
    frozen = masks.from_text(mask, _pages(task, np.empty(task.variable.shape, bool)).shape)
    usual = tuple(sizes) == (tasks.TASKS[name].__wrapped__.__defaults__ or ())
    optimizer, knobs = _optimizer(optimizer)
    lab = make(name if usual else task, optimizer, technique, seed, device, page)
    try:
        lab.use(**knobs)
    except ValueError:
        lab.close()
        raise
    for number in np.flatnonzero(frozen.any((1, 2))):
        lab.use(page=list(task.pages)[number])
        lab.frozen = frozen[number]
        lab.painter.mask.forget()  # an undo would thaw what the line has frozen
    lab.use(page=page)
    return lab


def paste(lab, text):
    """Put what the line `text` says in force in a playground; see `Playground.paste`."""
    lab.session.settle()
    made, technique, optimizer, page, mask = _words(text)
    name, (seed, *sizes) = _task(made)
    own = lab.task.made_by and (lab.task.made_by[0], list(lab.task.made_by[1][1:]))
    if own != (name, sizes):
        here = _word(*lab.task.made_by) if own else "of your own"
        raise _elsewhere(f"A line of the task {made} arrived; the task {here} is on this grid")
    optimizer, knobs = _optimizer(optimizer)
    if optimizer not in lab.optimizers or not _is_usual(lab, optimizer):
        raise _elsewhere(
            f"A line with the optimizer {optimizer!r} and its usual settings arrived; this "
            "playground was not compiled with that"
        )
    frozen = masks.from_text(mask, _pages(lab.task, np.empty(lab.task.variable.shape, bool)).shape)
    knobs = lab.session.loop.knobs_of(optimizer).usual | knobs
    lab.session.do(_put, lab, technique, optimizer, page, knobs, frozen)
    return None if seed == lab.task.made_by[1][0] else _of_another_seed(seed, lab)


def _put(lab, technique, optimizer, page, knobs, frozen):
    """Between two steps: choose and paint. All names are checked before anything changes."""
    in_use = lab.session.loop.history.now["optimizer"]
    lab.use(technique, None if optimizer == in_use else optimizer, page, **knobs)
    lab.session.paint_pages(frozen)


def _elsewhere(told):
    return ValueError(
        f"{told}. Nothing has changed here; open the line in a cell of its own, as "
        'Playground.from_code("…").'
    )


def _of_another_seed(seed, lab):
    return (
        f"Masks and choices are now those of the line. It was made with seed {seed}, and this "
        f"playground with seed {lab.task.made_by[1][0]}, so the weights began elsewhere: "
        'Playground.from_code("…") begins as the line says.'
    )


# --- what words cannot hold ----------------------------------------------------------------


def named_task(lab):
    """Return name and arguments by which `tasks.TASKS` makes the playground's task again.

    ValueError if none do: for a task of one's own, and for one that was changed before it trained.
    """
    if lab.task.made_by is None:
        raise ValueError(
            "A task of your own is on this grid; text can name the course's tasks "
            f"({', '.join(tasks.TASKS)}), and holds no model and no data. Share the code that "
            "makes your task instead."
        )
    name, arguments = lab.task.made_by
    model = tasks.TASKS[name](*arguments).model
    variables = model.trainable_variables, model.non_trainable_variables
    fresh = [[variable.numpy().tobytes() for variable in group] for group in variables]
    if fresh != [[array.tobytes() for array in group] for group in lab.session.loop.start]:
        raise ValueError(
            f"The task tasks.{name}{arguments} arrived, but its weights, or what of it trains, "
            "were changed before the first step; text cannot hold that. Share your code instead."
        )
    return name, arguments


def check_technique(lab, name):
    """Raise ValueError for a technique that is not one of the course's, whatever its name is."""
    message = "Text holds these names alone: share your code instead."
    known("technique", name, TECHNIQUES, message)
    if lab.session.loop.techniques[name] is not TECHNIQUES[name]:
        raise ValueError(f"The technique {name!r} of this playground is one of your own. {message}")


def check_optimizer(lab, name):
    """Raise ValueError unless a new playground would know this one's optimizer by its name."""
    if _is_usual(lab, name):
        return
    raise ValueError(
        f"The optimizer {name!r} of this playground has settings of your own; text holds a name "
        f"and its knobs alone. Choose one of the usual ones, for example "
        f"lab.use(optimizer={_other(name)!r}) and lab.reset(), or share your code instead."
    )


def _is_usual(lab, name):
    """Return whether a playground's optimizer is what a new one would have under this name."""
    if name not in NAMES:
        return False
    trains, usual = lab.optimizers[name], freezable_optimizer(name, lab.task.rates.get(name))
    made_with, knobs = lab.session.loop.knobs_of(name), Knobs(usual)
    same = made_with.settings == knobs.settings and made_with.usual == knobs.usual
    return type(trains) is type(usual) and same


def _other(name):
    return "sgd" if name != "sgd" else "adam"


# --- the line ------------------------------------------------------------------------------


def _line(words):
    """Return the line that holds these words."""
    line = ".".join([FORMAT, *words])
    return f"{line}.{_checksum(line)}"


def _words(text):
    """Return the words of a line between its format and its checksum, if the line is whole."""
    # Mail programs break lines, and put in characters that nobody sees.
    line = "".join(sign for sign in str(text) if sign.isprintable() and not sign.isspace())
    start, _, _ = line.partition(".")
    if not re.fullmatch(r"freeze\d+", start):
        raise ValueError(
            f"{_short(text)} arrived; a line that begins with {FORMAT}. was wanted. Copy the whole "
            "of what lab.code() returned."
        )
    if start != FORMAT:
        raise ValueError(
            f"A line of the format {start} arrived; this copy of the course reads {FORMAT}. Get "
            "the copy that the line was made with."
        )
    line, _, checksum = line.rpartition(".")
    words = line.split(".")[1:]
    if checksum != _checksum(line) or len(words) != 5:
        raise ValueError(
            f"{_short(text)} arrived, and its checksum does not fit: something is missing or was "
            "changed on the way. Copy the whole line again, up to its last character."
        )
    return words


def _word(name, arguments):
    """Return the word that stands for a task: snowflake-0-48-48."""
    return "-".join(map(str, (name, *arguments)))


def _turned_word(optimizer, knobs):
    """Return the word that stands for an optimizer and its turned knobs: adam-rate5e-2."""
    return "".join([optimizer, *(f"-{name}{_digits(number)}" for name, number in knobs.items())])


def _digits(number):
    """Return a float from 0 up as digits and a power of ten, without a point: 0.05 is 5e-2."""
    _, digits, power = Decimal(repr(number)).normalize().as_tuple()
    whole = "".join(map(str, digits))
    return f"{whole}e{power}" if power else whole


def _optimizer(word):
    """Return an optimizer's name, and the knobs that are turned: a dict from names to floats."""
    name, *knobs = re.split(f"-(?={'|'.join(KNOBS)})", word)
    turned = [re.fullmatch(r"([a-z]+)(\d+(?:e-?\d+)?)", knob) for knob in knobs]
    if not all(turned):
        raise ValueError(
            f"The optimizer {word!r} arrived; a name was wanted, and behind it a number for each "
            "knob that is turned, as in adam-rate5e-2."
        )
    return name, {knob[1]: float(knob[2]) for knob in turned}


def _task(word):
    """Name and arguments of the task that a word stands for, a seed at least."""
    name, _, numbers = word.partition("-")
    arguments = [int(number) for number in re.findall(r"(-?\d+)(?:-|$)", numbers)]
    if not arguments:
        raise ValueError(f"The task {word!r} arrived; one with a seed, as digits-0, was wanted.")
    return known("task", name, tasks.TASKS), arguments


def _made(word):
    """Return the task that a word stands for."""
    name, arguments = _task(word)
    try:
        return tasks.TASKS[name](*arguments)
    except TypeError as error:
        wanted = f"{name}{inspect.signature(tasks.TASKS[name])}"
        raise ValueError(f"The task {word!r} arrived; {wanted} makes one.") from error


def _pages(task, whole):
    """Return the grids of all pages, a new array (pages, rows, columns)."""
    return np.stack([task.grid(whole, page) for page in task.pages])


def _checksum(line):
    return f"{zlib.crc32(line.encode()):08x}"


def _short(text):
    text = repr(text)
    return text if len(text) <= 40 else f"{text[:36]}…{text[-1]}"
