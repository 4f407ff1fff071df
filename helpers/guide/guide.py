"""The guide: questions on a form, and below them the ways to freeze that are left, and why."""

import html
import textwrap
from collections import defaultdict

import ipywidgets

from helpers.forms import view_of
from helpers.guide.questions import OPTIMIZERS, SITUATIONS, Answers, narrow
from helpers.guide.ways import COARSEST_FIRST

CHECKS = {
    "in_fit": "it trains by model.fit",
    "repaints": "the mask changes while it trains",
    "saves": "time or memory must be saved",
    "file": "what is saved must stay, too",
}
NAMED = {"style": {"description_width": "9em"}, "layout": {"width": "min(24em, 95%)"}}
BOX = {"indent": False, "layout": {"width": "min(22em, 95%)", "margin": "0"}}


class Guide:
    """Asks what somebody's case is, and shows which ways to freeze are left, the simplest first.

    The leak laboratory judges what is asked for, when it is asked for first.

    `answers` is the case on the form, an Answers; `findings` has a Finding for each way. `ask`
    prints the same for a case that is given by its answers, and `judge` has the verdicts alone.
    Both change nothing on the form.
    """

    def __init__(self):
        self._finest = ipywidgets.Dropdown(
            options=COARSEST_FIRST, value=COARSEST_FIRST[-1], description="What is to stay", **NAMED
        )
        self._optimizer = ipywidgets.Dropdown(
            options=OPTIMIZERS, value="adamw", description="Optimizer", **NAMED
        )
        usual = Answers()
        self._checks = {key: _check(text, getattr(usual, key)) for key, text in CHECKS.items()}
        self._situations = {key: _check(text) for key, text in SITUATIONS.items()}
        self._told = ipywidgets.HTML()
        boxes = [*self._checks.values(), *self._situations.values()]
        for each in (self._finest, self._optimizer, *boxes):
            each.observe(self._show, "value")
        grid = ipywidgets.Box(boxes, layout={"flex_flow": "row wrap"})
        self.widget = ipywidgets.VBox([self._finest, self._optimizer, grid, self._told])
        self._show()

    @property
    def answers(self):
        """The case on the form."""
        chosen = tuple(key for key, box in self._situations.items() if box.value)
        more = {key: box.value for key, box in self._checks.items()}
        return Answers(self._finest.value, self._optimizer.value, chosen, **more)

    @property
    def findings(self):
        """What is left for the case on the form, and what is out."""
        return narrow(self.answers)

    def judge(self, **answers):
        """Return a verdict for each way, the simplest way first: name -> "holds", "fails" where
        cells were harmed, or "unfit". The case is given by the names of Answers."""
        return {finding.way.name: finding.verdict for finding in narrow(Answers(**answers))}

    def ask(self, **answers):
        """Print what is left for a case, by the names of Answers, and what is out, and why; return
        the names of what is left, the simplest first."""
        case = Answers(**answers)
        findings = narrow(case)
        print(as_text(case, findings))
        return [finding.way.name for finding in findings if finding.verdict == "holds"]

    def _show(self, _=None):
        self._told.value = as_html(self.findings)

    def __repr__(self):
        return as_text(self.answers, self.findings)

    def _repr_mimebundle_(self, **_):
        """Return the form, and as text for readers without a kernel."""
        return {**view_of(self.widget), "text/plain": repr(self)}


def _check(text, ticked=False):
    return ipywidgets.Checkbox(ticked, description=text, **BOX)


def as_text(case, findings):
    """Return a case and its ways as lines of text: those that are left, then those that are out,
    and why; what is out for the same reason shares a line."""
    left, out = _parted(findings)
    lines = textwrap.wrap(f"case: {case}", 76, subsequent_indent="  ")
    lines.append("left, the simplest first:" if left else "none is left")
    lines += [f"  {f.way.name:26} (page: {f.way.title})" for f in left]
    lines.append("out:")
    names = defaultdict(list)
    for finding in out:
        names[finding.reason].append(finding.way.name)
    for reason, of_reason in names.items():
        text = f"{', '.join(of_reason)}: {reason}"
        lines += textwrap.wrap(text, 76, initial_indent="  ", subsequent_indent="    ")
    return "\n".join(lines)


def as_html(findings):
    """Return the same as a table with the row of the leak matrix that each verdict rests on, and
    the program of what is left."""
    left, out = _parted(findings)
    asked = list(next(f.row for f in findings if f.row))
    heads = "".join(f"<th>{name}</th>" for name in ["way to freeze", *asked, "rests on", ""])
    rows = "".join(_row(finding, asked) for finding in [*left, *out])
    begin = "".join(map(_program, left)) or "<p>None is left: which answer could be another?</p>"
    table = f'<div style="overflow-x:auto"><table><tr>{heads}</tr>{rows}</table></div>'
    return f'<div role="status" style="width:0;min-width:100%">{begin}{table}</div>'


def _program(finding):
    """Return a way's note and its program, folded."""
    way, note = finding.way, html.escape(finding.way.note)
    named = f"{html.escape(way.name)} (page: {html.escape(way.title)})"
    code = f'<pre style="overflow-x:auto">{html.escape(way.code)}</pre>'
    return f"<details><summary>{named}</summary><p>{note}</p>{code}</details>"


def _row(finding, asked):
    cells = []
    for situation in asked:
        verdict = finding.row.get(situation)
        cells.append(f"{verdict.cells}&nbsp;of&nbsp;{verdict.of}" if verdict else "–")
    reason = finding.reason or "left"
    style = ' style="opacity:.6"' if finding.reason else ' style="font-weight:bold"'
    texts = [html.escape(finding.way.name), *cells, html.escape(finding.way.rests_on)]
    texts.append(("✗ " if finding.reason else "✓ ") + html.escape(reason))
    return f"<tr{style}>" + "".join(f"<td>{text}</td>" for text in texts) + "</tr>"


def _parted(findings):
    return [f for f in findings if not f.reason], [f for f in findings if f.reason]
