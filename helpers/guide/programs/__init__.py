"""A program for each way to freeze, to copy: a small model trains, and prints that it holds.

Each runs alone, with keras, tensorflow and numpy; the guide prints it.

layer                a whole layer, by its flag
variable             a whole variable, by its flag
list_of_variables    a whole variable, left off the list of those that train
where_gradient       tf.where on the gradient, in a loop
gradient_times_mask  gradient × mask, in a loop
constraint           a constraint that puts values back
callback             a callback that puts values back
stop_gradient        a layer that lets no gradient back
free_values          a layer of which the free values are the variable
split_rows           a layer of two tables, of which one trains
shadow_copy          a layer that takes frozen values from a copy
exact                an optimizer that keeps frozen values
compact              the same, which remembers the free ones alone
"""
