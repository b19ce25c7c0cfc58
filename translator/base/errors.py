"""The exception for errors that the user can correct."""


class InputError(ValueError):
    """Something the user gave cannot be used.

    The message is one line that says what was expected, what was found and
    what to do. The command line prints it on standard error and ends with exit
    code 2; every other exception is a bug in the program and shows its
    traceback.
    """
