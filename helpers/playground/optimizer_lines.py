"""The optimizers of a run as lines of a program: how each is made, and its knobs turned."""

from helpers.optimizers import CLASSES, LISTED

LONGEST = 100  # letters


class OptimizerLines:
    """Writes these lines, in the order of the run.

    rates     optimizer name -> learning rate, where the task has one of its own
    knobs_of  (optimizer name) -> its Knobs
    changes   step -> {kind: value}, as in a History, in the order of the steps
    exact     whether the optimizers must be able to freeze cells
    packs     whether the free values alone are trained at some time
    """

    def __init__(self, rates, knobs_of, changes, *, exact, packs):
        self._rates, self._knobs_of, self._changes = rates, knobs_of, changes
        self._exact, self._packs = exact, packs

    def begin(self, step, optimizer, turned):
        """Return the lines that make an optimizer with empty state after `step` steps, with these
        knobs turned. What is turned again later is a Number, which a traced step reads."""
        self._knobs = self._knobs_of(optimizer)
        self._numbers = self._knobs.usual | turned
        later = self._turned_later(step)
        at_once = {name: number for name, number in turned.items() if name not in later}
        lines = [self._made(optimizer, at_once), "optimizer.build(variables)"]
        if self._packs:
            lines.append("packed = Packed(kernel, variables, optimizer, kernel.numpy().size)")
        return [*lines, *map(self._number, later)]

    def turn(self, turned):
        """Return the lines that turn knobs, so that these alone do not stand as usual."""
        before, self._numbers = self._numbers, self._knobs.usual | turned
        changed = [name for name, number in self._numbers.items() if number != before[name]]
        return [self._assigned(name) for name in changed]

    def _turned_later(self, step):
        """Return the knobs that are turned before another optimizer is made, but for the rate."""
        found = set()
        for later, now in self._changes.items():
            if later > step and "optimizer" in now:
                break
            if later > step and "knobs" in now:
                numbers = self._knobs.usual | now["knobs"]
                found |= {name for name in numbers if numbers[name] != self._numbers[name]}
        return [name for name in self._knobs.attributes if name in found]

    def _made(self, optimizer, turned):
        """Return the line that makes a listed optimizer, or one by its Keras name."""
        cls, rate, settings = LISTED.get(optimizer) or (CLASSES[optimizer], None, {})
        rate = turned.get("rate", self._rates.get(optimizer, rate))
        attributes = self._knobs.attributes
        settings = settings | {attributes[name]: turned[name] for name in turned if name != "rate"}
        arguments = [repr(rate)] if rate is not None else []
        arguments += [f"{name}={value!r}" for name, value in settings.items()]
        made, inside = f"keras.optimizers.{cls.__name__}", ", ".join(arguments)
        made = f"optimizer = {f'freezable({made})' if self._exact else made}"
        line = f"{made}({inside})"
        return line if len(line) <= LONGEST else f"{made}(\n    {inside}\n)"

    def _number(self, name):
        attribute = self._knobs.attributes[name]
        place = f"optimizer.{attribute} = Number({self._numbers[name]!r})"
        return f"packed.optimizer.{attribute} = {place}" if self._packs else place

    def _assigned(self, name):
        number = self._numbers[name]
        if name == "rate":
            return f"optimizer.learning_rate = {number!r}"
        return f"optimizer.{self._knobs.attributes[name]}.assign({number!r})"
