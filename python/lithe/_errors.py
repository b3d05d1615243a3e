"""What goes wrong, as Python exceptions. Public names: lithe.Error, ModelError, PhysicsError, ResultsError,
ResultWarning."""


class Error(Exception):
    """Base of the exceptions of Lithe."""


class ModelError(Error, ValueError):
    """A model, or what is asked of it, makes no sense.

    diagnostics: list of Diagnostic (file, line, column, key, message), one per complaint about a model file; empty when
        the complaint is not about a place in a file
    """

    def __init__(self, message, diagnostics=()):
        super().__init__(message)
        self.diagnostics = list(diagnostics)


class PhysicsError(Error, RuntimeError):
    """The physics refuses: no assembly, a singular pose, an infeasible motion, no equilibrium, divergence.

    time: instant at which a run ended (s), or None outside of runs
    result: Result with the rows recorded up to there, or None
    """

    def __init__(self, message, time=None, result=None):
        super().__init__(message)
        self.time = time
        self.result = result


class ResultsError(Error, OSError):
    """A file that is not there, not a result of Lithe, or damaged."""


class ResultWarning(UserWarning):
    """Something speaks against a model or a result; Result.audit lists it, Result.trusted says whether it is too much."""


for _class in (Error, ModelError, PhysicsError, ResultsError, ResultWarning):
    _class.__module__ = "lithe"
