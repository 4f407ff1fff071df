// What the toolbar holds: its groups, what each tool is for, and what the lists and the first button
// show. `settings.py` has the same names, which a person chooses from.

/** @type {[name: string, label: string, members: string[]][]} */
export const GROUPS = [
  ["run", "Training", ["train", "step", "reset", "speed"]],
  ["paint", "Painting", ["freeze", "predict", "tool", "size", "undo", "invert", "clear", "presets", "pin"]],
  ["how", "How to freeze", ["technique", "optimizer", "page"]],
  ["knobs", "Knobs", ["rate", "momentum", "decay"]],
  ["look", "View", ["view", "drawing", "share", "hints", "more", "tour"]],
];

/** The tools of a grid that nobody trains. */
export const PAINTING = ["freeze", "tool", "size", "undo", "invert", "clear", "presets", "view", "hints"];

/** For each tool its name on screen, and a sentence on it. */
export const HINTS = {
  train: ["Train", "Trains until you press Pause; you can paint and choose meanwhile."],
  step: ["Step", "Takes a single training step, then pauses."],
  reset: ["Reset", "Takes weights and optimizer back to the start; what you painted stays."],
  speed: ["Speed", "How many steps are taken in a second, at most."],
  freeze: ["Freeze, Thaw", "What painting does to a cell; hold Shift to do the opposite of Freeze."],
  predict: ["Predict leaks, Predict still", "Paints which cells you think will leak, or will not move; after training, signs tell what was right."],
  tool: ["Brush, Rectangle, Row, Column", "The shape that you paint; drag over the grid."],
  size: ["Brush size", "How many cells wide the brush is."],
  undo: ["Undo, Redo", "Takes the last stroke back, or paints it again (Ctrl+Z, Ctrl+Y)."],
  invert: ["Invert", "Freezes what is free, and thaws what is frozen."],
  clear: ["Clear", "Thaws every cell."],
  presets: ["Presets", "Freezes the largest weights, or cells drawn at random."],
  pin: ["Pin", "Click a cell, or press P on it, to see what it goes through, step by step."],
  technique: ["Freeze by", "The recipe that is to keep the frozen cells still."],
  optimizer: ["Optimizer", "What turns gradients into steps; one that is newly chosen starts with empty state and its usual numbers."],
  page: ["Class", "Which class's weights stand on the grid; every class keeps its own mask."],
  rate: ["Rate", "The learning rate: how long each step is."],
  momentum: ["Momentum", "The share of the past that is left a step later: β₁ of Adam, μ of SGD with momentum."],
  decay: ["Decay", "The weight decay: how strongly each step pulls all weights towards 0, whatever their gradient."],
  view: ["Weights, Moved, Leaked", "What the colours show: the weights, how far each has moved since the start, or which frozen cells have changed."],
  drawing: ["A training step", "Its stations, lit where the recipe acts; press one to read what happens there."],
  share: ["Share", "Shows masks and choices as a line of text to copy, and opens a line that you paste."],
  hints: ["?", "Shows these sentences, and hides them."],
  more: ["More tools", "Unfolds all other tools below the grid, and folds them up again."],
  tour: ["Tour", "Leads once over the figure, for whoever opens it first in this browser."],
};

/** Whether painting in a mode says what somebody predicts; the mask is painted in the other modes. */
export const isBet = (mode) => mode === "leak" || mode === "stay";

/** The groups of a toolbar that shows `controls`, in the toolbar's order; empty ones are left out. */
export function groupsOf(controls, choices = {}) {
  // There is nothing to choose from a single page.
  const useful = (name) => controls.includes(name) && !(name === "page" && !(choices.page?.length > 1));
  return GROUPS.flatMap(([name, label, members]) => {
    const shown = members.filter(useful);
    return shown.length ? [[name, label, shown]] : [];
  });
}

/** The groups that stand above the grid, and those that unfold below it, under *More tools*. */
export function placesOf(controls, choices) {
  const rest = Object.keys(HINTS).filter((name) => name !== "tour" && !controls.includes(name));
  return {
    first: groupsOf(controls, choices),
    rest: controls.includes("more") ? groupsOf(rest, choices) : [],
  };
}

/** What a list offers as [value, label], with the value that it has, even if nobody offers that. */
export function offered(pairs, value) {
  if (pairs.some(([known]) => known === value)) return pairs;
  const label = typeof value === "number" ? `${value} steps a second` : String(value);
  return [...pairs, [value, label]];
}

/** What a list shows: the last choice on its way to Python, or what Python has said. */
export function chosen(name, pending, said) {
  const asked = pending.filter(({ message }) => message.kind === "choose" && message.name === name);
  return asked.length ? asked.at(-1).message.value : said;
}

/** Whether it trains, as far as a person can know: by the last order on its way, or the status. */
export function trains(pending, status) {
  const orders = pending.map(({ message }) => message.kind)
    .filter((kind) => ["train", "pause", "step", "reset"].includes(kind));
  return orders.length ? orders.at(-1) === "train" : status === "training";
}
