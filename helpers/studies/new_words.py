"""Ten words that a pretrained table does not have, and a small model that learns them.

All is computed in float64, so that other machines come to the same figures.
"""

import numpy as np

from helpers.device import keras
from helpers.studies import documentation
from helpers.studies.trials import restorer

NEW = (
    *("ndarray", "keras", "sklearn", "estimator", "initializer"),
    *("optimizer", "colormap", "histogram", "classifier", "tensors"),
)
RARE = (  # the pieces to train on are without them; the first four that have a row are taken
    *("doctor", "king", "water", "compiler"),
    *("wikipedia", "elsewhere", "unknown", "casting", "remain", "marker"),  # of the counted table
)
FREQUENT = ("array", "matrix", "axis", "tree")
TOKENS, WIDTH, BATCH = 8_000, 64, 64  # tokens looked through, numbers of a row, pieces in a batch


class Text:
    """Old words, of which a table has rows, new words, and pieces of text with both.

    Old words are lower-case, of four letters or more, among the first tokens of the table. Four of
    `RARE` and those of `FREQUENT` stand at their end, by the alphabet. Of each row the first 64
    numbers are taken.

    words     the old words and then the new ones, a list
    old, new  how many of each
    old_rows  float64 (old, WIDTH)
    """

    def __init__(self, tokens, numbers):
        first = [token for token in tokens[:TOKENS] if _is_word(token)]
        rare = [word for word in RARE if f"▁{word}" in tokens][:4]
        last = [f"▁{word}" for word in sorted((*rare, *FREQUENT)) if f"▁{word}" in tokens]
        chosen = [token for token in first if token not in last] + last
        rows = [tokens.index(token) for token in chosen]
        self.words = [*(token[1:] for token in chosen), *NEW]
        self.old, self.new = len(chosen), len(NEW)
        self.old_rows = numbers[rows, :WIDTH].astype("float64")
        self._pieces = documentation.pieces(self.words)

    def pieces(self, part, new=True):
        """Return the pieces with a new word in them, as (words, libraries); or those with none.

        part       "train", "validation" or "test"
        new        whether a new word is in them
        words      int32 (pieces, 8): numbers of words
        libraries  int64 (pieces,): which of four libraries the text is from
        """
        words, libraries = self._pieces[part]
        chosen = (words >= self.old).any(axis=1) == new
        return words[chosen], libraries[chosen]

    def table(self, kind=keras.layers.Embedding, **options):
        """Return a table with a row for each word, of this kind of Embedding, not built."""
        return kind(self.old + self.new, WIDTH, dtype="float64", **options)


def _is_word(token):
    word = token[1:]
    long = token[0] == "▁" and len(word) > 3 and word.isalpha()
    return long and word.islower() and word not in NEW


class Reader:
    """Says of a piece of text which library it is from: the mean of the rows of its words, and a
    dense layer, the head, that scores the libraries.

    text         a Text
    table        a layer, numbers of words (batch, 8) -> rows (batch, 8, WIDTH)
    optimizer    a Keras optimizer, not built
    jit_compile  as in Keras' `compile`
    """

    def __init__(self, text, table, optimizer, jit_compile=False):
        self.text, self.table, self.optimizer = text, table, optimizer
        mean = keras.layers.GlobalAveragePooling1D(dtype="float64")
        self._head = keras.layers.Dense(len(documentation.LIBRARIES), dtype="float64")
        words = keras.layers.Input((documentation.LENGTH,), dtype="int32")
        self.model = keras.Sequential([words, table, mean, self._head])
        loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        self.model.compile(optimizer, loss, jit_compile=jit_compile, steps_per_execution=20)
        optimizer.build(self.model.trainable_variables)
        self._make_new = restorer(optimizer.variables)

    def start(self, seed):
        """Begin anew: old rows as they were, new ones about as long as these and the head drawn
        from the seed, and an optimizer that remembers nothing and freezes nothing."""
        draw = np.random.default_rng(seed)
        size = self.text.old_rows.std()
        new = draw.normal(scale=size, size=(self.text.new, WIDTH))
        whole = np.concatenate([self.text.old_rows, new])
        values = {len(rows): rows for rows in (self.text.old_rows, new, whole)}
        for variable in self.table.weights:
            variable.assign(values[variable.shape[0]])
        kernel, bias = self._head.weights
        kernel.assign(draw.normal(scale=0.05, size=kernel.shape))
        bias.assign(np.zeros(bias.shape))
        self._make_new()

    def learn(self, steps, seed):
        """Take steps of `fit` on batches of 64 pieces with a new word; the seed decides which."""
        words, libraries = self.text.pieces("train")
        drawn = np.random.default_rng(seed).integers(len(words), size=BATCH * steps)
        batches = dict(batch_size=BATCH, shuffle=False, verbose=0)
        self.model.fit(words[drawn], libraries[drawn], **batches)

    def right(self):
        """Return of how many test pieces in a hundred the library is told, a float."""
        words, libraries = self.text.pieces("test")
        scores = self.model.predict_on_batch(words)
        return 100 * np.mean(scores.argmax(axis=1) == libraries)

    def old_rows(self):
        """Return the rows of the old words as they are now, float64 (old, WIDTH)."""
        return np.asarray(self.table.embeddings)[: self.text.old].copy()
