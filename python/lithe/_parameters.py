"""The parameters of a model as a dict that changes the model."""


class Parameters(dict):
    """Values of 'parameters' of a model by name. Setting one reads the model again with it; see Model.parameters."""

    def __init__(self, model, values):
        super().__init__(values)
        self._model = model

    def __setitem__(self, name, value):
        """Reads the model again with this value: a number, or an expression as text."""
        self.update({name: value})

    def update(self, *values, **named):
        """Sets several at once, so that the model is read again only once."""
        self._model._set_parameters(dict(*values, **named))
        super().update(self._model.parameters)

    def __ior__(self, values):
        """The same as update()."""
        self.update(values)
        return self

    def setdefault(self, name, default=None):
        """The value of a parameter that is there; a new one cannot be made."""
        if name not in self:
            self[name] = default  # says that there is no such parameter
        return self[name]

    def _refuse(self, *_):
        """Raises TypeError: the file of the model names its parameters."""
        raise TypeError("the parameters of a model cannot be taken away: its file names them; give them other values")

    __delitem__ = pop = popitem = clear = _refuse

    def copy(self):
        """A plain dict with the same values."""
        return dict(self)

    def __reduce__(self):
        return dict, (dict(self),)


Parameters.__module__ = "lithe"
