"""Plausible attempts at notebook 11's exercise that fall short, and the hint that each gets."""


def compiled(model):
    model.compile(model.optimizer, model.loss)


def never_compiled(model):
    model.get_layer("backbone").trainable = False


def the_first_ten(model):
    for layer in model.layers[:10]:
        layer.trainable = False
    compiled(model)


def the_first_layer(model):
    model.layers[0].trainable = False
    compiled(model)


def the_second_layer(model):
    model.layers[1].trainable = False
    compiled(model)


def only_its_variables(model):
    for variable in model.get_layer("backbone").trainable_variables:
        variable.trainable = False
    compiled(model)


def the_whole_model(model):
    model.trainable = False
    compiled(model)


MISTAKES = {
    never_compiled: "nobody read them: compile",
    the_first_ten: "The head is frozen, too",
    the_first_layer: "ask for it by its name",
    the_second_layer: "ask for it by its name",
    only_its_variables: "moving statistics moved",
    the_whole_model: "The head is frozen, too",
}
