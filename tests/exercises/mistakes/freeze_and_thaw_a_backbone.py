"""Plausible attempts at the exercise of Freeze and thaw a backbone that fall short, and the hint
that each gets."""

from helpers.device import keras


def set_norms(model, flag):
    for layer in model.get_layer("backbone").layers:
        if isinstance(layer, keras.layers.BatchNormalization):
            layer.trainable = flag


def compiled(model, rate):
    model.compile(keras.optimizers.Adam(rate), model.loss)


def never_compiled(model, rate):
    model.get_layer("backbone").trainable = True
    set_norms(model, False)
    model.optimizer.learning_rate = rate


def with_the_old_optimizer(model, rate):
    never_compiled(model, rate)
    model.compile(model.optimizer, model.loss)


def all_of_it(model, rate):
    model.get_layer("backbone").trainable = True
    compiled(model, rate)


def norms_first(model, rate):
    set_norms(model, False)
    model.get_layer("backbone").trainable = True
    compiled(model, rate)


def the_second_layer_alone(model, rate):
    model.get_layer("backbone").trainable = True
    for layer in model.get_layer("backbone").layers[2:]:
        layer.trainable = False
    compiled(model, rate)


def only_the_flag_of_the_model(model, rate):
    model.get_layer("backbone").trainable = True
    for layer in model.get_layer("backbone").layers:
        layer.trainable = False
    compiled(model, rate)


def at_the_default_rate(model, rate):
    model.get_layer("backbone").trainable = True
    set_norms(model, False)
    model.compile("adam", model.loss)


MISTAKES = {
    never_compiled: "nobody read them: compile",
    with_the_old_optimizer: "built for the head alone",
    all_of_it: "set theirs after it",
    norms_first: "set theirs after it",
    the_second_layer_alone: "still frozen",
    only_the_flag_of_the_model: "still frozen",
    at_the_default_rate: "not at the rate",
}
