from collections.abc import Iterator
from pathlib import Path

import reference
from pydantic import BaseModel

import translator
from translator.cli.main import COMMANDS, find_command
from translator.config.automatic import AUTOMATIC
from translator.config.schema import Config

DOCS = Path(__file__).parents[3] / "docs"


def keys_of(section: type[BaseModel], path: str = "") -> Iterator[str]:
    for name, field in section.model_fields.items():
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            yield from keys_of(field.annotation, f"{path}{name}.")
        else:
            yield f"{path}{name}"


def test_every_key_appears_once_with_its_type_range_and_default():
    text = reference.configuration_reference()
    for key in keys_of(Config):
        assert text.count(f"{{confkey}} {key}\n") == 1
    kinds = text.count("\nType: ") + text.count("\nOne of ")
    assert kinds == text.count(". Default: ") == text.count("{confkey}")
    entries = dict(entry.split("\n", 1) for entry in text.split("```{confkey} ")[1:])
    assert "`noam`, `inverse_sqrt`" in entries["training.schedule.name"]
    rate = "a number, at least 0.0, below 1.0, or `auto`. Default: `0.1`."
    assert rate in entries["model.dropout_rate"]
    assert "Default: `true`." in entries["corpus.cleaning.drop_duplicates"]
    assert "Type: an integer" in entries["data.batch_tokens"]
    assert "or `null`, or `auto`. Default: `null`." in entries["data.batch_tokens"]
    assert "or `null`. Default: `null`." in entries["training.init"]
    assert "Type: a list of sections, see below. Default: `[]`." in entries["corpora"]
    assert "above 0.0" in entries["corpora.weight"]


def test_automatic_keys_are_listed_by_section():
    text = reference.automatic_keys()
    for key in AUTOMATIC:
        assert text.count(f"{{key}}`{key}`") == 1
    assert "| `training.schedule` | {key}`training.schedule.name`, " in text


def test_every_command_and_option_appears():
    text = reference.command_reference()
    for name, command in ((name, find_command(name)) for name in COMMANDS):
        assert text.count(f"\n### {name}\n") == 1
        section = text.split(f"\n### {name}\n")[1].split("\n### ")[0]
        for option in command.params:
            if option.param_type_name == "option":
                assert option.opts[0] in section


def test_pages_have_a_place_for_each_reference_and_each_public_name():
    pages = [page.read_text("utf-8") for page in DOCS.glob("*.md")]
    for place in reference.REFERENCES:
        assert sum(place in page for page in pages) == 1
    page = (DOCS / "python-api.md").read_text("utf-8")
    for name in translator.__all__:
        assert name == "__version__" or f":: translator.{name}\n" in page
