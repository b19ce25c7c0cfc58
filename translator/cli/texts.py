"""Arguments with spaces are texts, whatever they begin with: ``translator "- Where are you?"``."""

from typing import Any

import click


class TextCommand(click.Command):
    """A command whose arguments are sentences."""

    def make_parser(self, ctx: click.Context) -> Any:
        """See `click.Command.make_parser`."""
        return with_texts(super().make_parser(ctx))


def with_texts(parser: Any) -> Any:
    """A parser for which what has a space is no option; click itself has no way to say so.

    Args:
        parser: click's, which takes any argument that begins with a dash for options.
    """
    process = parser._process_opts

    def process_unless_text(argument: str, state: Any) -> None:
        name = argument.partition("=")[0] if argument.startswith("--") else argument
        if any(map(str.isspace, name)):
            state.largs.append(argument)
        else:
            process(argument, state)

    parser._process_opts = process_unless_text
    return parser
