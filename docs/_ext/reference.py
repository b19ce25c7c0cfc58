"""Writes the reference of configuration keys and of commands while the site is built.

It replaces a line such as ``<!-- configuration reference -->`` or ``<!-- command reference -->`` of
a page with Markdown. So the default of a key is written only in the schema, and the options of a
command only in its ``--help``.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from translator.cli.main import GROUPS, find_command
from translator.config.automatic import AUTOMATIC
from translator.config.schema import Config

if TYPE_CHECKING:
    from sphinx.application import Sphinx

BOUNDS = {
    "minimum": "at least",
    "exclusiveMinimum": "above",
    "maximum": "at most",
    "exclusiveMaximum": "below",
    "multipleOf": "a multiple of",
}
TYPES = {
    "boolean": "`true` or `false`",
    "integer": "an integer",
    "number": "a number",
    "string": "text",
    "null": "`null`",
}
WIDTH = 80  # columns of a command's usage


def configuration_reference() -> str:
    """Every section and key of the schema with type, range, default and description."""
    schema = Config.model_json_schema()
    return "\n".join(_section(schema, schema["$defs"]))


def _section(schema: dict[str, Any], known: dict[str, Any], path: str = "") -> Iterator[str]:
    """The lines of one section: its own keys first, then the sections in it.

    Args:
        schema: the section's JSON schema.
        known: the schemas of all sections by the name of their class.
        path: the keys that lead to the section, each with a point after it.
    """
    inner_sections: dict[str, list[str]] = {}  # by class: keys may share one, as those of files do
    for name, field in schema["properties"].items():
        inner = _section_in(field)
        if inner:
            inner_sections.setdefault(inner, []).append(f"{path}{name}")
        if not inner or "$ref" not in field:
            yield f"```{{confkey}} {path}{name}\n{field.get('description', '')}\n"
            automatic = ", or `auto`" if f"{path}{name}" in AUTOMATIC else ""
            yield f"{_kind(field)}{automatic}. Default: {_default(field)}.\n```\n"
    for inner, keys in inner_sections.items():
        level = "#" * (2 + keys[0].count("."))
        yield f"\n{level} {', '.join(keys)}\n\n{known[inner]['description']}\n"
        yield from _section(known[inner], known, f"{keys[0]}.")


def _section_in(field: dict[str, Any]) -> str:
    """The class of the section that a field holds, or of those of a list; empty for a value."""
    options = field.get("anyOf", [field.get("items", field)])
    return "".join(str(option.get("$ref", "")).rpartition("/")[2] for option in options)


def _default(field: dict[str, Any]) -> str:
    return _yaml(field["default"]) if "default" in field else "none, it must be given"


def _kind(field: dict[str, Any]) -> str:
    """What a value may be, as a sentence without its full stop."""
    if _section_in(field):
        several = "a list of sections, see below"
        return f"Type: {several if 'items' in field else 'a section, see below, or `null`'}"
    return f"One of {_type(field)}" if "enum" in field else f"Type: {_type(field)}"


def _type(field: dict[str, Any]) -> str:
    """What a value may be, such as ``an integer, at least 1``."""
    if "anyOf" in field:
        return " or ".join(_type(option) for option in field["anyOf"])
    values = field.get("enum", [field["const"]] if "const" in field else [])
    if values:
        return ", ".join(_yaml(value) for value in values)
    if field["type"] == "array":
        return f"a list of {_type(field['items'])}"
    bounds = [f"{words} {field[key]:,}" for key, words in BOUNDS.items() if key in field]
    return ", ".join([TYPES[field["type"]], *bounds])


def _yaml(value: Any) -> str:
    """A value as a configuration file has it."""
    names = {None: "null", True: "true", False: "false"}
    known = value is None or isinstance(value, bool)
    return f"`{names[value] if known else value}`"


def command_reference() -> str:
    """Every command by group, as its ``--help`` has it."""
    lines: list[str] = []
    for group, names in GROUPS.items():
        lines.append(f"\n## {group}\n")
        for name in names:
            lines.extend(_command(name, find_command(name)))
    return "\n".join(lines)


def _command(name: str, command: click.Command) -> Iterator[str]:
    context = click.Context(command, info_name=f"translator {name}", max_content_width=WIDTH)
    yield f"(command-{name})="
    yield f"### {name}\n"
    yield f"```{{program}} translator {name}\n```\n"
    yield f"    {' '.join([context.command_path, *command.collect_usage_pieces(context)])}\n"
    yield (command.help or "").replace("\b\n", "") + "\n"
    for option in command.params:  # all but --help, which every command has
        record = option.get_help_record(context)
        if record and isinstance(option, click.Option):
            yield f"```{{option}} {record[0]}\n{record[1]}\n```\n"


def automatic_keys() -> str:
    """The keys that may be left to the program, by section."""
    sections: dict[str, list[str]] = {}
    for name in AUTOMATIC:
        section, _, key = name.rpartition(".")
        sections.setdefault(section, []).append(f"{{key}}`{name}`")
    rows = (f"| `{section}` | {', '.join(keys)} |" for section, keys in sections.items())
    return "\n".join(["| section | keys |", "|---|---|", *rows])


REFERENCES = {
    "<!-- automatic keys -->": automatic_keys,
    "<!-- configuration reference -->": configuration_reference,
    "<!-- command reference -->": command_reference,
}


def write_references(app: "Sphinx", page: str, source: list[str]) -> None:
    """Puts each reference in the place that a page has for it."""
    for place, reference in REFERENCES.items():
        if place in source[0]:
            source[0] = source[0].replace(place, reference())
            app.env.note_reread()  # the code may change while the page does not


def setup(app: "Sphinx") -> dict[str, bool]:
    """Registers the keys as a kind of object that pages can link to, and the references."""
    app.add_object_type("confkey", "key", "single: %s (key)", objname="configuration key")
    app.connect("source-read", write_references)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
