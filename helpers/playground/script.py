"""A run of the playground as the text of a Python program that stands alone and ends in equal bits.

Recipes, the cross-entropy and the snowflake are copied from the course's own source; what the
course does in ways of its own (a loop that is compiled once, one step for all recipes) is written
out plainly.
"""

import inspect
import itertools
import textwrap

import numpy as np

from helpers import datasets, masks, packing
from helpers.networks import cross_entropy
from helpers.playground import share, tasks
from helpers.playground.knobs import Number
from helpers.playground.optimizer_lines import OptimizerLines
from helpers.techniques import TECHNIQUES

LARGEST_PICTURE = 256  # cells; a larger mask stands in the program as one word


def script(lab):
    """Return the program that takes all steps since the last reset once more.

    Masks, techniques, optimizers and knobs change before the same steps. Its last line of output
    is the SHA-256 of the bytes of `lab.weights`. ValueError for what `share` finds no words for.
    """
    loop, session = lab.session.loop, lab.session
    session.settle()
    name, arguments = share.named_task(lab)
    changes, steps, page = session.do(
        lambda: (dict(loop.history.changes), loop.step, session.pages.page)
    )
    techniques = _names(changes, "technique")
    for technique in techniques:
        share.check_technique(lab, technique)
    for optimizer in _names(changes, "optimizer"):
        share.check_optimizer(lab, optimizer)
    packs = any(TECHNIQUES[name].values for name in techniques)
    kinds = {"exact": "exact" in techniques, "packs": packs}
    optimizers = OptimizerLines(lab.task.rates, loop.knobs_of, _by_step(changes), **kinds)
    account = Account(lab.task, _by_step(changes), optimizers)
    paragraphs = [*account.told(steps), account.hashed(page)]
    done = _heading("The run") + "\n\n".join(paragraphs)
    parts = [*TASKS[name](*arguments), *_freezing(techniques, done), *_readers(done), done]
    return _program(name, steps, "\n\n\n".join(parts), on_cpu="CPU" in loop.device)


def _names(changes, kind):
    """Return the techniques or optimizers that were used, each once."""
    return list(dict.fromkeys(name for (_, k), name in changes.items() if k == kind))


def _by_step(changes):
    """Return the changes of a History as step -> {kind: value}."""
    at = {step: {} for step, _ in changes}
    for (step, kind), value in changes.items():
        at[step][kind] = value
    return at


def _program(name, steps, body, on_cpu):
    """Put in front of a program's body what it is, and what it imports."""
    standard = [module for module in ("base64", "hashlib", "math", "zlib") if f"{module}." in body]
    lines = [
        f'"""Repeats a run on the task {name!r} bit for bit: {steps} steps from the start.',
        "",
        "The last line of the output is the SHA-256 of the weights on the grid. Equal bits need",
        "the same TensorFlow on the same kind of processor.",
        '"""',
        "",
        *(f"import {module}" for module in standard),
        "",
        *("import keras", "import numpy as np", "import tensorflow as tf"),
    ]
    if "load_digits" in body:
        lines.append("from sklearn.datasets import load_digits")
        lines.append("from sklearn.model_selection import train_test_split")
    if "freezable" in body:
        lines += ["", "from helpers.freezing import freezable  # one folder of the course"]
    if on_cpu:
        lines += ["", 'tf.config.set_visible_devices([], "GPU")  # which rounds in its own way']
    return "\n".join([*lines, "", body, ""])


def _heading(text):
    return f"# --- {text} ---\n\n"


def _source(function):
    return inspect.getsource(function).strip()


# --- the task ------------------------------------------------------------------------------


DIGITS = '''\
images, labels = load_digits(return_X_y=True)
images, labels = (images / 16).astype(np.float32), labels.astype(np.int64)
# A quarter is held out; the split is always the same.
parts = train_test_split(images, labels, test_size=450, random_state=0, stratify=labels)
images, labels = tf.constant(parts[0]), tf.constant(parts[2])


def batch(step):
    """The examples of a step: the same seed and step, the same batch."""
    seeds = tf.stack([step, tf.constant({seed}, tf.int64)])
    chosen = tf.random.stateless_uniform(({size},), seeds, 0, len(images), tf.int32)
    return tf.gather(images, chosen), tf.gather(labels, chosen)'''

SOFTMAX = """\
small = keras.initializers.RandomNormal(stddev=0.02, seed={seed})
layers = [keras.layers.Input((64,)), keras.layers.Dense(10, kernel_initializer=small)]
model, loss = keras.Sequential(layers), cross_entropy
kernel, variables = model.layers[-1].kernel, model.trainable_variables"""

HIDDEN = """\
first = keras.initializers.GlorotUniform(seed={seed})
second = keras.initializers.GlorotUniform(seed={next_seed})
layers = [
    keras.layers.Input((64,)),
    keras.layers.Dense({units}, "relu", kernel_initializer=first),
    keras.layers.Dense(10, kernel_initializer=second),
]
model, loss = keras.Sequential(layers), cross_entropy
kernel, variables = model.layers[0].kernel, model.trainable_variables"""

SNOWFLAKE = '''\
small = keras.initializers.RandomNormal(stddev=0.02, seed={seed})
layer = keras.layers.Dense({columns}, use_bias=False, kernel_initializer=small)
model = keras.Sequential([keras.layers.Input(({rows},)), layer])
kernel, variables = layer.kernel, model.trainable_variables
teacher = tf.constant(snowflake({rows}, {columns}))


def batch(step):
    """Random inputs, and what the teacher makes of them: the same step, the same batch."""
    seeds = tf.stack([step, tf.constant({seed}, tf.int64)])
    x = tf.random.stateless_normal(({size}, {rows}), seeds)
    return x, x @ teacher


def loss(targets, outputs):
    """Half the squared errors, a sum over the columns."""
    return 0.5 * tf.reduce_sum(tf.reduce_mean(tf.square(outputs - targets), axis=0))'''


def _digits(seed):
    yield _heading("The task: softmax regression on handwritten digits") + _examples(seed)
    yield _source(cross_entropy)
    yield SOFTMAX.format(seed=seed)


def _hidden(seed, units):
    yield _heading("The task: a network with a hidden layer on handwritten digits") + (
        _examples(seed)
    )
    yield _source(cross_entropy)
    yield HIDDEN.format(seed=seed, next_seed=seed + 1, units=units)


def _examples(seed):
    return DIGITS.format(seed=seed, size=tasks.BATCH)


def _snowflake(seed, rows, columns):
    title = _heading("The task: a linear layer learns a picture, cell by cell")
    yield title + "\n" + _source(datasets.snowflake)
    yield _source(datasets.distance)
    yield SNOWFLAKE.format(seed=seed, rows=rows, columns=columns, size=tasks.BATCH)


TASKS = {"digits": _digits, "hidden": _hidden, "snowflake": _snowflake}


# --- freezing, and a step ------------------------------------------------------------------


FROZEN = "frozen = tf.Variable(tf.zeros(kernel.shape, bool))  # True = frozen"
SHADOW = "shadow = tf.Variable(kernel)  # of a cell as it was frozen"
FREEZE = '''\
def freeze(mask):
    """Freeze these cells and thaw the others, from the next step on."""
    shadow.assign(tf.where(mask & ~frozen.numpy(), kernel, shadow))
    frozen.assign(mask)'''


def _freezing(names, done):
    """Yield what freezes in the run `done`: variables, recipes, and a training step for each of
    them."""
    recipes = [TECHNIQUES[name] for name in names]
    shadows = any(recipe.shadow for recipe in recipes)
    yield _heading("Freezing, and the step") + "\n".join([FROZEN, *([SHADOW] if shadows else [])])
    if "freeze(" in done:
        lines = FREEZE.splitlines()
        yield "\n".join(line for line in lines if shadows or "shadow" not in line)
    if "Number(" in done:
        yield _source(Number)
    if any(recipe.values for recipe in recipes):
        yield f'NAME = "{packing.NAME}"  # of the vector, and in the names of its slots'
        yield _source(packing.Packed)
        yield _source(packing._uncounted)
    for recipe in recipes:
        yield from map(_source, filter(None, _functions(recipe)))
    # Two recipes that act at no place of a step share the plain one.
    yield from dict.fromkeys(map(_step, names, recipes))


def _functions(recipe):
    return recipe.weights, recipe.shadow, recipe.gradient, recipe.after, recipe.values


def _step_name(technique):
    return f"step_with_{technique}" if any(_functions(TECHNIQUES[technique])) else "plain_step"


PACKED_STEP = '''\
@tf.function
def step_with_{name}(packed, number):
    """One step, in which {name} acts."""
    inputs, targets = batch(number)
    places = tf.where(~frozen)
    with tf.GradientTape() as tape:
        free = packed.free.value[: tf.shape(places)[0]]
        seen = [{name}(kernel.value, places, free), *(v.value for v in variables[1:])]
        outputs, _ = model.stateless_call(seen, [], inputs, training=True)
        value = loss(targets, outputs)
    gradients = tape.gradient(value, [v.value for v in packed.variables])
    packed.optimizer.apply(gradients, packed.variables)'''


def _step(name, recipe):
    """Return the training step of a recipe, in the order of `helpers/step.py`."""
    if recipe.values:
        return PACKED_STEP.format(name=name)
    lines = ["inputs, targets = batch(number)", "with tf.GradientTape() as tape:"]
    if recipe.weights or recipe.shadow:
        seen = "shadow, kernel.value" if recipe.shadow else "kernel.value"
        lines.append(f"    seen = [{name}({seen}, frozen), *(v.value for v in variables[1:])]")
        lines.append("    outputs, _ = model.stateless_call(seen, [], inputs, training=True)")
    else:
        lines.append("    outputs = model(inputs, training=True)")
    lines.append("    value = loss(targets, outputs)")
    lines.append("gradients = tape.gradient(value, [v.value for v in variables])")
    if recipe.gradient:
        lines.append(f"gradients[0] = {name}(gradients[0], frozen)  # the kernel comes first")
    if recipe.after:
        lines.append("before = tf.identity(kernel.value)")
    lines.append("optimizer.apply(gradients, variables)")
    if recipe.after:
        lines.append(f"kernel.assign({name}(before, kernel.value, frozen))")
    about = f"One step, in which {name} acts." if any(_functions(recipe)) else "One plain step."
    definition = f'@tf.function\ndef {_step_name(name)}(optimizer, number):\n    """{about}"""\n'
    return definition + textwrap.indent("\n".join(lines), "    ")


PICTURE = '''\
def picture(text):
    """A mask that is drawn: # is a frozen cell, and a point is a free one."""
    return np.array([[cell == "#" for cell in row] for row in text.split()])'''


UNPACKED = '''\
def unpacked(text, *shape):
    """A mask from its short form: bits, deflated, in base64."""
    deflated = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    bits = np.unpackbits(np.frombuffer(zlib.decompress(deflated, wbits=-15), np.uint8))
    return bits[: math.prod(shape)].reshape(shape) > 0'''


def _readers(done):
    """Yield the functions that make masks of what stands in the program."""
    if "picture(" in done:
        yield PICTURE
    if "unpacked(" in done:
        yield UNPACKED


# --- what was done ---------------------------------------------------------------------------


class Account:
    """Writes what was done, in order.

    changes     step -> {kind: value}, as in a History
    optimizers  their OptimizerLines
    """

    def __init__(self, task, changes, optimizers):
        self._task, self._at, self._optimizers = task, changes, optimizers
        self._nothing = masks.as_text(np.zeros(task.variable.shape, bool))
        self._technique, self._mask = None, self._nothing
        self._kept = self._nothing  # the mask that the optimizer in use was told

    def told(self, steps):
        """Paragraphs: what changed at a step, then the steps up to the next change."""
        for step, end in itertools.pairwise([*self._at, steps]):
            changed = self._changes(step, self._at[step])
            if changed:
                yield "\n".join([f"# After {step} steps" if step else "# At first", *changed])
            if step < end:
                yield self._steps(step, end)

    def _steps(self, step, end):
        name, packs = _step_name(self._technique), bool(TECHNIQUES[self._technique].values)
        lines = [
            f"for number in tf.range({step}, {end}, dtype=tf.int64):",
            f"    {name}({'packed' if packs else 'optimizer'}, number)",
        ]
        around = ["packed.pack(frozen.numpy())", "packed.unpack()"]
        return "\n".join([around[0], *lines, around[1]] if packs else lines)

    def hashed(self, page):
        """Return the last paragraph: what the model computes with on the grid, as a hash."""
        shadow = TECHNIQUES[self._technique].shadow
        seen = "shadow_copy(shadow, kernel.value, frozen)" if shadow else "kernel"
        folded = f".reshape{self._task.folded}[{_index(self._task.pages[page])}]"
        lines = [
            "# What the model computes with, on the grid",
            f"weights = {seen}.numpy()" + (folded if len(self._task.pages) > 1 else ""),
            "print(hashlib.sha256(weights.tobytes()).hexdigest())",
        ]
        return "\n".join(lines)

    def _changes(self, step, now):
        """Return the lines for all changes at one step."""
        self._technique, lines = now.get("technique", self._technique), []
        if "optimizer" in now:
            lines += self._optimizers.begin(step, now["optimizer"], now["knobs"])
            self._kept = self._nothing
        elif "knobs" in now:
            lines += self._optimizers.turn(now["knobs"])
        for mask in (now.get("thawed", self._mask), now.get("frozen", self._mask)):
            if mask != self._mask:
                self._mask = mask
                lines += self._freeze(masks.from_text(mask, self._task.variable.shape))
        exact = self._technique == "exact"
        if self._kept != (self._mask if exact else self._nothing):
            self._kept = self._mask if exact else self._nothing
            cells = "frozen" if exact else "tf.zeros_like(frozen)"
            lines.append(f"optimizer.freeze_cells(kernel, {cells})")
        return lines

    def _freeze(self, frozen):
        """Return the lines that put a mask in force, page by page where there are several."""
        task = self._task
        if not frozen.any():
            return ["freeze(np.zeros(kernel.shape, bool))"]
        if len(task.pages) == 1:
            return [f"mask = {_literal(frozen)}", "freeze(mask)"]
        lines = [f"mask = np.zeros({task.folded}, bool)"]
        for page, index in task.pages.items():
            grid = task.grid(frozen, page)
            if grid.any():
                lines.append(f"mask[{_index(index)}] = {_literal(grid)}")
        return [*lines, "freeze(mask.reshape(kernel.shape))"]


def _index(index):
    """Return what stands between the brackets for the slice of a page."""
    parts = index if isinstance(index, tuple) else (index,)
    return ", ".join(":" if isinstance(part, slice) else str(part) for part in parts)


def _literal(frozen):
    """Return a mask as a picture of letters, or as one word where it is large."""
    if frozen.size > LARGEST_PICTURE:
        words = textwrap.wrap(masks.as_text(frozen), 80)
        text = "".join(f'    "{word}"\n' for word in words)[:-1]
        return "unpacked(\n{},\n    {},\n    {},\n)".format(text, *frozen.shape)
    rows = ["".join("#" if cell else "." for cell in row) for row in frozen]
    return 'picture("""\n{}\n""")'.format("\n".join(rows))
