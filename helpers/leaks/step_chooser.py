"""The drawing of a training step, for a recipe, an optimizer and a situation chosen on a form."""

from helpers.forms import Form, dropdown
from helpers.leaks.situations import SITUATIONS
from helpers.optimizers import LISTED
from helpers.pictures import step_drawing
from helpers.stations import Conditions, describe_step
from helpers.techniques import TECHNIQUES

TOGETHER = "all at once"
ABOUT_ALL = "One step has what all the situations have."
LOOK = {"style": {"description_width": "6em"}, "layout": {"width": "min(26em, 95%)"}}


def conditions(optimizer, situation):
    """Return the Conditions of a step in a situation of the laboratory, or in all at once.

    Where free cells alone are watched, what moves frozen ones is left out.
    """
    if situation == TOGETHER:
        every = dict.fromkeys(["penalty", "clip", "average", "decay", "nan", "thaw"], True)
        return Conditions(optimizer, **every)
    given = SITUATIONS[situation]
    asked = given.watched != "free"
    return Conditions(
        optimizer,
        penalty=bool(given.penalty),
        clip=bool(given.clip),
        average=given.average,
        warm=bool(given.warm) and asked,
        decay=(bool(given.decay) or None) if asked else False,
        nan=given.nan,
        thaw=given.watched == "thawed",
    )


class StepChooser(Form):
    """Three lists to choose from, and the drawing of the step that follows from them.

    `choices` has the lists: recipe, optimizer, situation. `wrong` names the stations at which it
    goes wrong, in the order of a step. Readers without a browser see the drawing as it was drawn
    last.
    """

    def __init__(self, technique="where_gradient", optimizer="adamw", situation=TOGETHER):
        labels = {name: each.label for name, each in TECHNIQUES.items() if name != "none"}
        situations = {name: name for name in [*SITUATIONS, TOGETHER]}
        self.choices = {
            "recipe": dropdown("recipe", labels, technique, **LOOK),
            "optimizer": dropdown("optimizer", {n: n for n in LISTED}, optimizer, **LOOK),
            "situation": dropdown("situation", situations, situation, **LOOK),
        }
        super().__init__(*self.choices.values())
        for choice in self.choices.values():
            choice.observe(self._show, "value")
        self._show()

    @property
    def title(self):
        """What is chosen, in words."""
        recipe, optimizer, situation = (choice.value for choice in self.choices.values())
        return f"{TECHNIQUES[recipe].label}, with {optimizer}: {situation}"

    def _show(self, _=None):
        recipe, optimizer, situation = (choice.value for choice in self.choices.values())
        stations = describe_step(TECHNIQUES[recipe], conditions(optimizer, situation))
        self.wrong = [station.name for station in stations if station.leak]
        found = (
            f"It goes wrong at: {', '.join(self.wrong)}." if self.wrong else "Nothing goes wrong."
        )
        about = SITUATIONS[situation].about if situation in SITUATIONS else ABOUT_ALL
        self.show(step_drawing.draw(stations, self.title), f"{about} {found}")

    def __repr__(self):
        return f"The drawing of a training step, {self.title}"
