"""The base class of the sections of a configuration, and the errors of wrong sections."""

import difflib
import re
from collections.abc import Iterator
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from translator.base.gone import gone_line
from translator.base.texts import quoted, shorten

Share = Annotated[float, Field(ge=0.0, lt=1.0)]  # such as a dropout rate


class Section(BaseModel):
    """A section of the YAML file: immutable, strict about types and key names.

    Every field has a description. The configuration page of the documentation is made from these
    descriptions, so each default is only in the schema. Every number has a bound far above any
    sensible value, so that a typing error is refused at once.
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)

    @model_validator(mode="after")
    def _check_problems(self) -> Self:
        for problem in self._problems():
            raise ValueError(problem)
        return self

    def _problems(self) -> Iterator[str]:
        """Yields problems of values that do not fit each other, in the order of the checks."""
        return iter(())


def describe_problem(error: ValidationError, root: type[Section]) -> str:
    """The first problem that pydantic found in a section, in one line."""
    problems = error.errors(include_url=False)
    problems.sort(key=lambda problem: problem["type"] != "extra_forbidden")  # unknown keys first
    first, (place, valid_keys) = problems[0], _place_of(problems[0]["loc"], root)
    # each type of a union has a problem of its own
    same_key = [problem for problem in problems if _place_of(problem["loc"], root)[0] == place]
    path = ".".join(shorten(key) for key in place)
    value = first["input"] if isinstance(first["input"], str) else ""
    if line := gone_line(path) or gone_line(f"{path.rpartition('.')[2]}: {value}"):
        return line
    if first["type"] == "extra_forbidden":
        message = f"unknown key{_nearest_key(place[-1], valid_keys)}"
    elif first["type"] == "value_error":
        message = str(first["ctx"]["error"])
    elif first["type"] == "missing":
        message = "expected this key, found none"
    else:
        expected = " or ".join(_expected(problem["msg"]) for problem in same_key)
        message = f"expected {expected}, found {quoted(first['input'])}"
    if first["type"] == "string_type" and isinstance(first["input"], (bool, int)):
        words = "no, yes, on and off as truth values"
        read = words if isinstance(first["input"], bool) else "digits as a number"
        message += f"; YAML reads {read}: put the value in quotes"
    message = re.sub(r" or instance of \w+", "", message).replace("valid dictionary", "section")
    count = 1 + len(problems) - len(same_key)
    return (f"{path}: " if path else "") + message + f" (1 of {count} errors)" * (count > 1)


def _expected(message: str) -> str:
    """Takes ``a valid integer`` out of pydantic's ``Input should be a valid integer``."""
    said = re.sub("^(Input|Keys) should be ", "", message).replace("String should have", "text of")
    said = said.replace("less than or equal to", "at most")
    return said.replace("greater than or equal to", "at least")


def _place_of(location: tuple[int | str, ...], root: type[Section]) -> tuple[list[str], list[str]]:
    """The keys of a place, without pydantic's names of types, and all keys of its section."""
    keys: list[str] = []
    valid_keys: list[str] = []
    section: type[Section] | None = root
    for key in map(str, location):
        if not key.isdigit():  # the number of an entry in a list
            if section is None:
                break
            valid_keys = list(section.model_fields)
            section = _section_of(section, key) if key in valid_keys else None
        keys.append(key)
    return keys, valid_keys


def _section_of(section: type[Section], key: str) -> type[Section] | None:
    """The section that is the value of a key; None if the value is plain."""
    annotation = section.model_fields[key].annotation
    for candidate in (annotation, *getattr(annotation, "__args__", ())):
        if isinstance(candidate, type) and issubclass(candidate, Section):
            return candidate
    return None


def _nearest_key(key: str, valid_keys: list[str]) -> str:
    nearest = difflib.get_close_matches(shorten(key), valid_keys, n=1, cutoff=0.5)
    return f"; did you mean {nearest[0]}?" if nearest else f"; known keys: {', '.join(valid_keys)}"
