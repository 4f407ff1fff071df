"""What stands in front of an optimizer, whichever way it freezes."""


class Front:
    """What optimizers that mask and compact ones have in common."""

    keras_class = None  # the class that was made freezable
    _ledger = None  # what is known of the cells of each variable; it comes with `build`

    def set_weights(self, weights):
        """As in Keras, but for its check of shapes: some variables here change their lengths."""
        if len(weights) != len(self.variables):
            wanted = f"one for each of the {len(self.variables)} optimizer.variables was wanted"
            raise ValueError(f"{len(weights)} arrays arrived; {wanted}. Call build first.")
        for variable, value in zip(self.variables, weights):
            variable.assign(value)

    def _paired(self, grads, variables):
        """Gradients and variables as two lists of one length; without any variables, they are
        those that the optimizer was built for. What is missing is for Keras to say."""
        grads, variables = list(grads), list(variables or ())
        if self.built and not variables:
            variables = self._ledger.variables
        if grads and variables and len(grads) != len(variables):
            numbers = f"{len(grads)} gradients and {len(variables)} variables"
            raise ValueError(f"{numbers} arrived; one gradient for each variable was wanted.")
        return grads, variables

    def _cells(self, variable):
        if self._ledger is None:
            raise ValueError("Masks come with the slots: call optimizer.build(variables) first.")
        return self._ledger[variable]
