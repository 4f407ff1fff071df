"""What happens at each station of a training step: sentences, formulas, what their symbols mean."""

NAMES = {
    "weights": "weights",
    "seen": "model sees",
    "loss": "loss",
    "gradient": "gradient",
    "clip": "clip",
    "memory": "memory",
    "step": "step",
    "write": "write",
    "average": "weight average",
    "end": "the end",
}

# What happens there, in a sentence, and as a formula of lines that are computed from top to bottom.
TEXTS = {
    "weights": ("The variable holds the weights.", "w"),
    "seen": ("The model computes with the weights, or with what it is shown instead.", "w̃ = w"),
    "loss": ("The loss says how far the answers are from the targets.", "L = error(f(x, w̃), y)"),
    "gradient": ("The gradient says how the loss changes with each cell.", "g = ∂L/∂w"),
    "clip": ("If the gradient is too long, all of it is shortened.", "g ← g·min(1, c / ‖g‖)"),
    "write": ("The step is taken off the weights in the variable.", "w ← w − Δ"),
    "average": (
        "The average follows the weights; now and then it replaces them.",
        "a ← β·a + (1−β)·w\nw ← a, now and then",
    ),
    "end": ("After the last step the average replaces the weights.", "w ← a"),
}
PENALTY = (
    "The loss adds a penalty on the weights in the variable to the error.",
    "\nL ← L + γ·Σw²",
)
UNUSED = {
    "clip": "This optimizer does not clip gradients.",
    "memory": "This optimizer remembers nothing from one step to the next.",
    "average": "This optimizer keeps no running average of the weights.",
}

ADAM = (
    "Two averages of past gradients and of their squares take in the newest gradient.",
    "m ← β₁·m + (1−β₁)·g\nv ← β₂·v + (1−β₂)·g²",
)
MEMORY = {  # of optimizers by their names in the course's list; None = none is kept
    "sgd": None,
    "momentum": ("The fading sum of past steps takes in the newest gradient.", "u ← μ·u − rate·g"),
    "adam": ADAM,
    "adamw": ADAM,
}
ANY_MEMORY = (
    "What the optimizer keeps for each cell takes in the newest gradient.",
    "s ← update(s, g)",
)
STEP = {
    "sgd": "Δ = rate·g",
    "momentum": "Δ = −u",
    "adam": "Δ = α·m / (√v + ε)",
    "adamw": "Δ = α·m / (√v + ε)",
}
ANY_STEP = "Δ = step(g, s, rate)"
DECAYING = {"adamw", "muon"}  # of their own accord
DECAY = "w ← w − rate·λ·w"

TERMS = {
    "w": "the weights in the variable",
    "w̃": "what the model sees of the weights",
    "a": "the running average of the weights",
    "x": "the inputs",
    "y": "the targets",
    "f": "the model",
    "L": "the loss",
    "γ": "how strong the penalty is",
    "Σw²": "the sum of the squares of all weights",
    "g": "the gradient",
    "‖g‖": "the length of the gradient, over all cells, frozen or free",
    "c": "the greatest length allowed",
    "u": "the momentum: past steps, each fading",
    "μ": "the share of the momentum that is left a step later, for example 0.9",
    "m": "the average of past gradients",
    "v": "the average of their squares",
    "α": "rate·√(1 − β₂ᵗ) / (1 − β₁ᵗ) in step t: the rate, made up for m and v that start at 0",
    "β₁": "the share of m that is left a step later, 0.9 unless you say otherwise",
    "β₂": "the share of v that is left a step later, 0.999 unless you say otherwise",
    "β": "the share of the average that is left a step later, for example 0.99",
    "s": "the optimizer's slots: what it keeps for each cell",
    "rate": "the learning rate",
    "ε": "a small number, against dividing by 0",
    "λ": "how strong the weight decay is",
    "Δ": "the step",
}
