"""A form to choose a plan on, a button that does the work, and the report below."""

import html

import ipywidgets

from helpers.capstone.plan import FREEZE_BY, TRAINS, Plan
from helpers.forms import dropdown, view_of, working

WIDE = {"width": "min(34em, 95%)"}
NAMED = {"style": {"description_width": "8em"}, "layout": WIDE}
EARLIER = 5  # deliveries that the list of points goes back


class Desk:
    """A form for the Plan of an Order. `ship` does the work by what is chosen, as the button does,
    shows the report, and returns it; `report` is the last one, or None."""

    def __init__(self, order):
        self.order, self.report, self._points = order, None, []
        self.trains = dropdown("Train", TRAINS, "everything", **NAMED)
        self.freeze_by = dropdown("Hold others by", FREEZE_BY, "gradient_times_mask", **NAMED)
        self.freeze_again = ipywidgets.Checkbox(
            False, description="hand the masks to the new optimizer", **NAMED
        )
        self.ahead = ipywidgets.FloatSlider(
            0, min=0, max=5, step=0.5, description="9 must lead by", **NAMED
        )
        self._button = ipywidgets.Button(description="Train and deliver", icon="truck")
        self._button.layout = {"width": "max-content"}
        self._button.on_click(lambda _: self.ship())
        self._told, self._picture = ipywidgets.HTML(), ipywidgets.Image(format="png")
        self._picture.layout = {"display": "none", "max_width": "100%"}
        form = [self.trains, self.freeze_by, self.freeze_again, self.ahead, self._button]
        self.widget = ipywidgets.VBox([*form, self._told, self._picture])

    @property
    def plan(self):
        """The Plan that is chosen on the form."""
        chosen = {"trains": self.trains.value, "freeze_by": self.freeze_by.value}
        return Plan(**chosen, freeze_again=self.freeze_again.value, ahead=self.ahead.value)

    def ship(self):
        """Do the work, and show what became of it; what goes wrong is said on the form."""
        self._told.value = "Training, saving, loading, training …"
        with working(self._button):
            try:
                self.report = self.order.ship(self.plan)
                self._points.append(self.report.points)
                self._show()
                return self.report
            except Exception as error:
                self._told.value = f'<span role="alert">{html.escape(str(error))}</span>'
                raise

    def _show(self):
        points = " · ".join(map(str, self._points[-EARLIER:]))
        self._told.value = f"{_as_html(self.report)}<p>Your deliveries: {points} points</p>"
        self._picture.value = self.report.picture().data
        self._picture.layout.display = ""

    def __repr__(self):
        lists = [self.trains, self.freeze_by]
        lines = [f"{each.description}: {', '.join(dict(each.options))}" for each in lists]
        lines += [f"[ ] {self.freeze_again.description}", f"{self.ahead.description}: 0 to 5"]
        return "\n".join([*lines, f"[{self._button.description}]"])

    def _repr_mimebundle_(self, **_):
        """Return the form, and as text for readers without a kernel."""
        return {**view_of(self.widget), "text/plain": repr(self)}


def _as_html(report):
    """Return what the report says, in tables, and in lines that break where there is little
    room."""
    kept = {True: "✓ kept", False: "✗ broken"}
    contract = [
        [kept[done], wanted, found, points if done else 0]
        for wanted, found, done, points in report.contract.values()
    ]
    said = "".join(f"<li>{html.escape(comment)}</li>" for comment in report.comments())
    leaks = _table(["", *report.leaks_by[0]], report.leaks_by[1]) if report.leaked else ""
    return (
        f'<div role="status"><b>{report.points} of 10 points</b>{_table([], contract)}'
        f'{leaks}<ul style="line-height:1.4">{said}</ul></div>'
    )


def _table(heads, rows):
    head = "".join(f"<th>{each}</th>" for each in heads)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<div style="overflow-x:auto"><table><tr>{head}</tr>{body}</table></div>'
