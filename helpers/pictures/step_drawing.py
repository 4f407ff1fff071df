"""The drawing of a training step: its stations, lit where a technique acts, an arrow at a leak."""

from matplotlib.patches import FancyArrowPatch, FancyBboxPatch, Rectangle

from helpers.names import known
from helpers.pictures import plots
from helpers.stations import Conditions, describe_step
from helpers.techniques import TECHNIQUES

# Blue and red stay apart in every common kind of colour blindness; a filled head says "acts" and an
# arrow says "leak" to those who see no colours at all.
LIT, LEAK, INK, FAINT, PALE = "#1f5a96", "#c1121f", "#202020", "#6b6b6b", "#e6f0fa"
WIDTH, MARGIN, GAP = 800, 12, 22  # pixels, as all that follows
TITLE, ARROW, HEAD, BOX, TURN, LINE = 32, 48, 24, 86, 36, 20  # heights
ACTS, PASSED_OVER = "the technique acts here", "passed over for this variable"  # a dark head
FIRST_ROW = 5  # stations in it; the others stand below


def picture(technique, optimizer, **settings):
    """Return the drawing of a step as a picture for a notebook.

    `technique` is a name in `techniques.TECHNIQUES`, or None for a variable that is not on the list
    of those that train; for `optimizer` and `settings` see `stations.Conditions`.
    """
    if technique is not None:
        technique = TECHNIQUES[known("technique", technique, TECHNIQUES)]
    label = technique.label if technique else "a variable that is not on the list"
    title = f"{label}, with {optimizer}"
    stations = describe_step(technique, Conditions(optimizer, **settings))
    return plots.image(draw(stations, title, ACTS if technique else PASSED_OVER))


def draw(stations, title="", meaning=ACTS):
    """Return a Figure, 800 pixels wide, of what `stations.describe_step` returns.

    A dark head, whose `meaning` is told below, marks the stations at which the technique acts, a
    thick arrow one where a leak enters; below, a sentence tells each leak. A station with a dashed
    frame is not in this step.
    """
    leaks = [station for station in stations if station.leak]
    rows = stations[:FIRST_ROW], stations[FIRST_ROW:]
    above, below = (ARROW if any(s.leak for s in row) else LINE / 2 for row in rows)
    first, second = TITLE + above, TITLE + above + BOX + TURN
    height = second + BOX + below + LINE * (len(leaks) + 1.6)
    figure, axes = plots.canvas(WIDTH, height)
    axes.text(MARGIN, TITLE / 2 + 2, title, size=12, weight="bold", color=INK, va="center")
    ends, starts = _row(axes, rows[0], first, side=-1), _row(axes, rows[1], second, side=1)
    _turn(axes, ends[-1], first + BOX, starts[0], second)
    _notes(axes, leaks, meaning, second + BOX + below + 0.7 * LINE)
    return figure


def _row(axes, stations, top, side):
    """Draw stations in a row, with leaks above (side -1) or below (1); return their middles."""
    width = (WIDTH - 2 * MARGIN - GAP * (len(stations) - 1)) / len(stations)
    lefts = [MARGIN + place * (width + GAP) for place in range(len(stations))]
    for station, left in zip(stations, lefts):
        _box(axes, station, left, top, width)
        if left > MARGIN:
            _arrow(axes, (left - GAP, top + BOX / 2), (left, top + BOX / 2), INK, 1.4, 12)
        if station.leak:
            _leak(axes, station.arrow, left + width / 2, top + BOX * (side > 0), side)
    return [left + width / 2 for left in lefts]


def _box(axes, station, left, top, width):
    """Draw a station: its name in the head, its formula below."""
    ink = INK if station.used else FAINT
    frame = dict(edgecolor=LIT, linewidth=2.6) if station.acts else dict(edgecolor=ink)
    frame |= dict(boxstyle="round,pad=0,rounding_size=5")
    style = "solid" if station.used else (0, (4, 3))
    face = PALE if station.acts else "white"
    axes.add_patch(
        FancyBboxPatch((left, top), width, BOX, facecolor=face, linestyle=style, **frame)
    )
    if station.acts:
        axes.add_patch(FancyBboxPatch((left, top), width, HEAD, facecolor=LIT, **frame))
    middle, centred = left + width / 2, dict(ha="center", va="center")
    named = dict(size=9.5, weight="bold", color="white" if station.acts else ink)
    axes.text(middle, top + HEAD / 2, station.name, **named, **centred)
    formula = station.formula or "not in this step"
    told = dict(size=8.5, color=ink, linespacing=1.5)
    axes.text(middle, top + (HEAD + BOX) / 2, formula, **told, **centred)


def _arrow(axes, start, end, colour, width, head):
    """Draw an arrow between two points, its head as long as `head` says."""
    whole = dict(arrowstyle="-|>", mutation_scale=head, shrinkA=0, shrinkB=0, joinstyle="miter")
    axes.add_patch(FancyArrowPatch(start, end, color=colour, linewidth=width, **whole))


def _leak(axes, label, middle, edge, side):
    """Draw a thick arrow to a station's edge, from above (side -1) or below (1), and a label."""
    _arrow(axes, (middle, edge + side * 26), (middle, edge + side * 2), LEAK, 3, 18)
    where = dict(ha="center", va="center", size=9, weight="bold", color=LEAK)
    axes.text(middle, edge + side * 36, label, **where)


def _turn(axes, x, y, to_x, to_y):
    """Draw the way from the last station of the first row to the first one of the second."""
    half = (y + to_y) / 2
    axes.plot([x, x, to_x, to_x], [y, half, half, to_y - 8], color=INK, linewidth=1.4)
    _arrow(axes, (to_x, to_y - 9), (to_x, to_y), INK, 1.4, 12)


def _notes(axes, leaks, meaning, top):
    """Say what the marks mean, and below a line for each leak."""
    style = dict(size=8.5, va="center", color=INK)
    axes.add_patch(Rectangle((MARGIN, top - 6), 22, 12, color=LIT))
    axes.text(MARGIN + 30, top, meaning, **style)
    if leaks:
        _arrow(axes, (222, top), (244, top), LEAK, 3, 14)
    axes.text(
        252, top, "it goes wrong here" if leaks else "nothing goes wrong in this step", **style
    )
    for line, station in enumerate(leaks, 1):
        note = dict(xy=(MARGIN, top + line * LINE), annotation_clip=False, **style)
        name = axes.annotate(station.name, weight="bold", **(note | {"color": LEAK}))
        note |= dict(xycoords=name, xy=(1, 0.5), xytext=(6, 0), textcoords="offset points")
        axes.annotate(station.leak, **note)
