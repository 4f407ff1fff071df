"""Plausible attempts at the exercise of Freeze a layer that fall short, and the hint that each
gets."""


def compiled(model):
    model.compile(model.optimizer, model.loss)


def never_compiled(model):
    for layer in model.layers:
        layer.trainable = layer.name == "head"


def all_but_the_last(model):
    for layer in model.layers[:-1]:
        layer.trainable = False
    compiled(model)


def the_first_layer(model):
    model.layers[0].trainable = False
    compiled(model)


def only_its_variables(model):
    for layer in model.layers:
        for variable in layer.weights:
            variable.trainable = layer.name == "head"
    compiled(model)


def the_model_and_then_the_head(model):
    model.trainable = False
    model.get_layer("head").trainable = True
    compiled(model)


def with_a_new_optimizer(model):
    never_compiled(model)
    model.compile("adam", model.loss)


MISTAKES = {
    never_compiled: "nobody read them: compile",
    all_but_the_last: "Is it always the last layer",
    the_first_layer: "still have the flag True",
    only_its_variables: "The averages moved",
    the_model_and_then_the_head: "nothing in it trains",
    with_a_new_optimizer: "another optimizer",
}
