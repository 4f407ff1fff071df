"""When a step is called shorter or longer: where its bar does not touch the noise of the plain one.

A bar goes from the low to the high quartile of what the step took over the plain step, round by
round; the noise is the bar of a second plain step.
"""

COLOURS = {"longer": "C1", "shorter": "C2", "not told apart": "C0"}


def verdict(bar, noise):
    """Say of a step's bar, (low, high), whether it lies beside that of the noise: "shorter",
    "longer" or "not told apart"."""
    if bar[1] < noise[0]:
        return "shorter"
    return "longer" if bar[0] > noise[1] else "not told apart"


def draw(axes, found, names, title=""):
    """Draw the bars of steps below each other, with a verdict beside each.

    found  float (steps, 3), (low, median, high) of each over the plain step. The first line is the
           plain step timed again; its bar is the noise, which a gray band carries down
    names  of the lines
    """
    noise = found[0][[0, 2]]
    axes.axvspan(*noise, color="#e4e4e4", zorder=0)
    for line, (low, median, high) in enumerate(found):
        told = verdict((low, high), noise)
        axes.plot([low, high], [line, line], color=COLOURS[told])
        axes.plot(median, line, "o", color=COLOURS[told])
        axes.text(high, line, f"  {told}" if line else "", va="center")
    axes.set_yticks(range(len(names)), names)
    axes.set(title=title, xlabel="time of a step ÷ time of the plain step")
    axes.set(xlim=(0, 1.4 * found.max()), ylim=(len(names) - 0.4, -0.6))
