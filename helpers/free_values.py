"""Layers to take home: the free values are the variable, so frozen ones stay by construction.

    layer = FreeDense.from_layer(dense, frozen)  # of a Dense that is built; True = frozen
    layer = FreeDense(10, frozen=frozen)         # or a new one; also FreeEmbedding, FreeConv2D

The optimizer finds a vector with a number for each free cell, and keeps slots for these alone. In
each call the numbers are put into their places among the held ones. So `fit` needs nothing else,
under any optimizer, with decay, clipping and averages. `to_layer` gives the plain layer back.

Limits. The mask is fixed when the layer is built; for another one go by `to_layer` and
`from_layer`, with a new optimizer. A step saves memory in slots, and not time: the gradient of the
whole weight is computed. A regularizer sees the vector, as does an optimizer that looks at a matrix
as a whole (Muon, Adafactor, Lamb). A file of the model has these layers in it: import this module
before `load_model`. It needs nothing else of the course.
"""

import base64

import keras
import numpy as np


class FreeValues:
    """What these layers have in common; it stands in front of a Keras layer.

    frozen  bool, of the shape of the layer's weight `whole`, True = frozen. TypeError: not bool;
            ValueError: nothing is free, or, when the layer is built, another shape

    A built layer has three weights in that one's stead: `free`, the vector that trains; `held`, of
    the whole shape, of which the frozen cells count; and `places`, int64 (free, dimensions).
    """

    whole = "kernel"

    def __init__(self, *positional, frozen, **named):
        super().__init__(*positional, **named)
        self._mask, self._begin = _checked(frozen), None

    def add_weight(self, **options):
        """As in Keras; but in place of the weight `whole` make those three, and return `held`."""
        if options.get("name") != self.whole:
            return super().add_weight(**options)
        shape, places = tuple(options["shape"]), np.argwhere(~self._mask)
        if self._mask.shape != shape:
            raise ValueError(
                f"A mask of shape {self._mask.shape} arrived; the {self.whole} of {self.name!r} "
                f"has shape {shape}. Build it with np.zeros({shape}, bool)."
            )
        if options.pop("constraint", None) is not None:
            message = f"{self.whole}_constraint arrived, which is made for a whole {self.whole}"
            raise ValueError(f"{message}; here a vector of some values trains. Take it away.")
        regularizer = options.pop("regularizer", None)
        options["initializer"] = self._begin or options.get("initializer")
        self.held = super().add_weight(**options | {"name": "held", "trainable": False})
        settings = dict(shape=places.shape, dtype="int64", trainable=False)
        self.places = super().add_weight(name="places", initializer=_given(places), **settings)
        values = np.asarray(keras.ops.convert_to_tensor(self.held))  # without a copy on a CPU
        first = _given(values[~self._mask])
        self._mask = self._begin = None  # from here on the places tell; a file may bring others
        settings = dict(dtype=options.get("dtype"), regularizer=regularizer)
        vector = dict(shape=places.shape[:1], initializer=first)
        self.free = super().add_weight(name="free", **vector, **settings)
        return self.held

    def merged(self):
        """Return the weight as the layer computes with it: a tensor of its whole shape."""
        return keras.ops.scatter_update(self.held, self.places, self.free)

    @property
    def frozen(self):
        """The mask: bool, of the weight's shape, True = frozen."""
        if self._mask is not None:
            return self._mask.copy()
        mask = np.ones(self.held.shape, bool)
        mask[tuple(self.places.numpy().T)] = False
        return mask

    @classmethod
    def from_layer(cls, layer, frozen):
        """Return such a layer with the values of a built Keras layer. TypeError: another class."""
        if type(layer) is not cls._plain() or not layer.built:
            arrived = f"A {type(layer).__name__} arrived, built: {layer.built}"
            raise TypeError(f"{arrived}; a built {cls._plain().__name__} was wanted.")
        made = cls.from_config(layer.get_config() | {"frozen": frozen})
        made._begin = _given(getattr(layer, cls.whole))
        made.build_from_config(layer.get_build_config())
        if getattr(layer, "bias", None) is not None:
            made.bias.assign(layer.bias)
        return made

    def to_layer(self):
        """Return the plain Keras layer, built, with the values that this one has."""
        config = self.get_config()
        del config["frozen"]
        made = self._plain().from_config(config)
        made.build_from_config(self.get_build_config())
        bias = [] if getattr(self, "bias", None) is None else [self.bias]
        made.set_weights([each.numpy() for each in (self.merged(), *bias)])
        return made

    @classmethod
    def _plain(cls):
        return cls.__mro__[cls.__mro__.index(FreeValues) + 1]

    def get_config(self):
        """As in Keras, with the mask as a text of bits."""
        frozen = self.frozen
        bits = base64.b64encode(np.packbits(frozen)).decode()
        return super().get_config() | {"frozen": {"shape": frozen.shape, "bits": bits}}

    @classmethod
    def from_config(cls, config):
        """As in Keras; the mask may be such a text, or an array."""
        frozen = config["frozen"]
        if isinstance(frozen, dict):
            bits = np.frombuffer(base64.b64decode(frozen["bits"]), np.uint8)
            shape = tuple(frozen["shape"])
            frozen = np.unpackbits(bits, count=int(np.prod(shape))).reshape(shape).astype(bool)
        return super().from_config(config | {"frozen": frozen})

    def save_own_variables(self, store):
        """Save all weights; Dense and Conv2D would save the kernel and the bias alone."""
        keras.layers.Layer.save_own_variables(self, store)

    def load_own_variables(self, store):
        """Load what was saved."""
        keras.layers.Layer.load_own_variables(self, store)

    def _refuse(self, *_, **__):
        raise NotImplementedError(
            f"{self.name!r} arrived, of which a vector of free values trains; LoRA and "
            f"quantization take the whole {self.whole}. Call them on what to_layer() returns."
        )

    enable_lora = quantize = quantized_build = _refuse


@keras.saving.register_keras_serializable("freezing_tensors")
class FreeDense(FreeValues, keras.layers.Dense):
    """Dense, of which the kernel's free values train, and the bias."""

    kernel = property(FreeValues.merged)


@keras.saving.register_keras_serializable("freezing_tensors")
class FreeConv2D(FreeValues, keras.layers.Conv2D):
    """Conv2D, of which the kernel's free values train, and the bias."""

    kernel = property(FreeValues.merged)


@keras.saving.register_keras_serializable("freezing_tensors")
class FreeEmbedding(FreeValues, keras.layers.Embedding):
    """Embedding, of which the table's free values train. (Where whole rows are frozen and the table
    is long, two tables are faster: here each step makes the whole one.)"""

    whole = "embeddings"
    embeddings = property(FreeValues.merged)


def _checked(frozen):
    mask = np.array(frozen)
    if mask.dtype != bool:
        raise TypeError(
            f"A mask of dtype {mask.dtype} arrived; a bool mask was wanted, True = frozen. If its "
            "ones mean frozen, pass mask > 0.5; if trainable, mask < 0.5."
        )
    if mask.all():
        raise ValueError(
            f"A mask arrived that freezes all of its {mask.size} cells; one with free cells was "
            "wanted. To freeze a whole layer, set layer.trainable = False."
        )
    return mask


def _given(values):
    """Return an initializer that returns these values."""
    return lambda shape, dtype=None: keras.ops.convert_to_tensor(values, dtype)
