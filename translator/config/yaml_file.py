"""A configuration as a YAML file.

Anything that `translator.config.schema` does not know is refused with the path of the
key, what was expected and, for a misspelt key, the nearest known one.
"""

import difflib
import re
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from translator.base.errors import InputError
from translator.config.schema import Config, Section


class _Loader(yaml.SafeLoader):
    """YAML whose ``1e-3`` is a number, as in YAML 1.2; PyYAML's 1.1 makes it a string."""


_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:float",
    re.compile(r"^[-+]?[0-9][0-9_]*(\.[0-9]*)?[eE][-+]?[0-9]+$"),
    list("-+0123456789"),
)


def read_config(path: str | Path, overrides: tuple[str, ...] = ()) -> Config:
    """Reads and validates a configuration file.

    Args:
        path: the YAML file.
        overrides: ``section.key=value`` settings that replace keys of the file;
            the value is read as YAML.

    Returns:
        The validated configuration.

    Raises:
        InputError: the file is missing or not YAML, a key is unknown, a value
            has the wrong type or lies out of its range.
    """
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise InputError(f"{path}: expected a configuration file, found nothing there") from None
    except IsADirectoryError:
        raise InputError(f"{path}: expected a YAML file, found a directory") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: expected YAML in UTF-8, found other bytes") from None
    values = _parse_yaml(text, str(path))
    if not isinstance(values, dict):
        raise InputError(
            f"{path}: expected YAML sections such as 'model:', found"
            f" {'nothing' if values is None else type(values).__name__}"
        )
    for override in overrides:
        _apply_override(values, override)
    return validate_config(values, str(path))


def validate_config(values: dict[str, Any], origin: str) -> Config:
    """Validates nested plain values; ``origin`` names them in errors.

    Raises:
        InputError: as in `read_config`.
    """
    try:
        return Config.model_validate(values)
    except ValidationError as error:
        raise InputError(f"{origin}: {_describe(error)}") from None


def config_to_yaml(config: Config) -> str:
    """The resolved configuration, every key written out."""
    return yaml.safe_dump(config.model_dump(), sort_keys=False, allow_unicode=True)


def _parse_yaml(text: str, origin: str) -> Any:
    try:
        return yaml.load(text, Loader=_Loader)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        where = f", line {mark.line + 1}" if mark else ""
        problem = getattr(error, "problem", None) or str(error).partition("\n")[0]
        raise InputError(f"{origin}{where}: expected YAML: {problem}") from None


def _apply_override(values: dict[str, Any], override: str) -> None:
    path, equals, text = override.partition("=")
    keys = path.split(".")
    if not equals or not all(keys):
        raise InputError(
            f"--set {override!r}: expected section.key=value, such as training.epochs=5"
        )
    section = values
    for key in keys[:-1]:
        child = section.get(key)
        if child is None:
            child = section[key] = {}
        if not isinstance(child, dict):
            raise InputError(f"--set {override!r}: {key} is a value, not a section")
        section = child
    section[keys[-1]] = _parse_yaml(text, f"--set {override!r}")


def _describe(error: ValidationError) -> str:
    problems = error.errors(include_url=False)
    first = problems[0]
    path = ".".join(str(key) for key in first["loc"])
    if first["type"] == "extra_forbidden":
        message = f"unknown key{_nearest_key(first['loc'])}"
    elif first["type"] == "value_error":
        message = str(first["ctx"]["error"])
    else:
        expected = (
            first["msg"].replace("Input should be", "expected").replace("Field", "a key that is")
        )
        message = (
            f"{expected}, found {first['input']!r}" if first["type"] != "missing" else expected
        )
    if first["type"] == "string_type" and isinstance(first["input"], bool):
        message += "; YAML reads no, yes, on and off as truth values: put it in quotes"
    message = re.sub(r" or instance of \w+", "", message).replace("valid dictionary", "section")
    more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
    return (f"{path}: " if path else "") + message + more


def _nearest_key(location: tuple[Any, ...]) -> str:
    section: Any = Config
    for key in location[:-1]:
        annotation = section.model_fields[key].annotation
        candidates = [annotation, *getattr(annotation, "__args__", ())]
        section = next(c for c in candidates if isinstance(c, type) and issubclass(c, Section))
    known = list(section.model_fields)
    nearest = difflib.get_close_matches(str(location[-1]), known, n=1, cutoff=0.5)
    return f"; did you mean {nearest[0]}?" if nearest else f"; known here: {', '.join(known)}"
