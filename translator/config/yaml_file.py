"""Reads a configuration from a YAML file.

Keys that `translator.config.schema` does not know are refused. The error names the path of the key
and the expected value. For a misspelt key, it names the nearest known key.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from translator.base.errors import InputError
from translator.base.files import path_of
from translator.base.gone import HARMLESS, without_gone
from translator.base.texts import quoted, shorten
from translator.config.automatic import AUTO, mark_missing_keys, plain_values, value_at
from translator.config.schema import Config
from translator.config.section import describe_problem

MAX_BYTES = 1 << 20  # limit for a file; sensible files have at most a few kilobytes
MOST_KEYS = 9  # in the path of a key
_TAG = "tag:yaml.org,2002:"  # the beginning of the tags of YAML's own types
_READ_AS_TEXT = ("timestamp", "merge", "value")


class _Loader(yaml.SafeLoader):
    """Loads YAML; refuses keys that occur twice.

    ``1e-3`` is a number, as in YAML 1.2 but not in PyYAML's 1.1. Dates, ``1:30`` and ``<<`` are
    strings.
    """

    def resolve(self, kind: type[yaml.Node], value: Any, implicit: Any) -> str:
        tag = str(super().resolve(kind, value, implicit))  # type: ignore[no-untyped-call]
        is_text = tag.removeprefix(_TAG) in _READ_AS_TEXT or ":" in str(value)
        return self.DEFAULT_SCALAR_TAG if kind is yaml.ScalarNode and is_text else tag

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        places: dict[str, yaml.Node] = {}
        for key, _ in node.value:
            before = places.setdefault(key.value, key) if isinstance(key, yaml.ScalarNode) else key
            if before is not key:
                raise InputError(
                    f"{_place(key)}: {shorten(key.value)}: expected each key once, found this key"
                    f" in line {_place(before).rpartition(' ')[2]} already; remove one of the two"
                )
        return super().construct_mapping(node, deep)


def _place(node: yaml.Node) -> str:
    mark: Any = node.start_mark
    return f"{mark.name}, line {mark.line + 1}"


_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:float",
    re.compile(r"^[-+]?[0-9][0-9_]*(\.[0-9]*)?[eE][-+]?[0-9]+$"),
    list("-+0123456789"),
)


def read_config(path: str | Path | Mapping[str, Any], overrides: tuple[str, ...] = ()) -> Config:
    """Reads and validates a configuration.

    Args:
        path: the YAML file, or the name of a configuration that comes with the program, such as
            ``demo``; or a dictionary with the content of such a file.
        overrides: ``section.key=value`` settings that replace keys of the file; each value is read
            as YAML. If several settings have the same key, the last one counts.

    Returns:
        The validated configuration.

    Raises:
        InputError: the file is missing or not YAML, a key is unknown or occurs twice, or a value
            has the wrong type or is out of range.
    """
    if isinstance(path, Mapping):
        values, path = plain_values(path), "config"
    else:
        path = _find(path_of(path, "configuration"))
        values = parse_yaml(_read_bytes(path), str(path))
    values = mark_missing_keys(_sections(values, path))
    for override in overrides:
        _apply_override(values, override)
        values = mark_missing_keys(values)
    _let_time_decide(values, overrides)
    _remove_harmless_keys(values)
    return validate_config(values, str(path))


def read_config_of_run(path: Path) -> Config:
    """Reads the configuration of a run, also of an earlier version."""
    return validate_config(mark_missing_keys(without_gone(read_values(path))), str(path))


def read_values(path: Path) -> dict[str, Any]:
    """Reads the sections of a file, without validation."""
    return _sections(parse_yaml(_read_bytes(path), str(path)), path)


def _sections(values: Any, origin: str | Path) -> dict[str, Any]:
    if isinstance(values, dict):
        return values
    raise InputError(
        f"{origin}: expected YAML sections such as 'model:', found"
        f" {'nothing' if values is None else type(values).__name__}"
    )


def validate_config(values: dict[str, Any], origin: str) -> Config:
    """Validates nested plain values; errors name ``origin``."""
    try:
        return Config.model_validate(values)
    except ValidationError as error:
        raise InputError(f"{origin}: {describe_problem(error, Config)}") from None


def replace_values(config: Config, values: Mapping[str, Any], origin: str) -> Config:
    """A configuration with other values, by the full names of their keys."""
    try:
        return config.with_values(values)
    except ValidationError as error:
        raise InputError(f"{origin}: {describe_problem(error, Config)}") from None


def config_to_yaml(config: Config) -> str:
    """Writes the configuration as YAML, with every key."""
    return yaml.safe_dump(config.model_dump(), sort_keys=False, allow_unicode=True)


def shipped_configs() -> dict[str, Path]:
    """The configurations that come with the program, by their names."""
    package = Path(__file__).parents[1]
    installed, checkout = package / "configs", package.parent / "configs"
    folder = installed if installed.is_dir() else checkout
    return {path.stem: path for path in sorted(folder.glob("*.yaml"))}


def _find(path: Path) -> Path:
    """Returns the file itself, or the configuration of this name that comes with the program.

    A path that looks like a file is returned unchanged, even if the file is missing.
    """
    is_name = path.name == str(path) and not path.suffix and not path.is_file()
    return shipped_configs().get(path.name, path) if is_name else path


def _read_bytes(path: Path) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        known = ", ".join(shipped_configs())
        raise InputError(
            f"{path}: expected a configuration file or one of {known}, found nothing there"
        ) from None
    except IsADirectoryError:
        raise InputError(f"{path}: expected a YAML file, found a directory") from None


def parse_yaml(content: bytes, origin: str) -> Any:
    """Parses YAML; errors name ``origin``."""
    if len(content) > MAX_BYTES:
        raise InputError(
            f"{origin}: expected settings of at most {MAX_BYTES >> 20} MiB, found a longer file"
        )
    loader = None
    try:
        loader = _Loader(content.decode("utf-8-sig"))
        loader.name = origin
        return loader.get_single_data()
    except InputError:
        raise
    except UnicodeDecodeError:
        raise InputError(f"{origin}: expected YAML in UTF-8, found other bytes") from None
    except RecursionError:
        raise InputError(f"{origin}: expected YAML sections, found too deep sections") from None
    except (yaml.YAMLError, LookupError, TypeError, ValueError) as error:
        mark = getattr(error, "problem_mark", None)
        where = f", line {mark.line + 1}" if mark else ""
        problem = getattr(error, "problem", None) or str(error).partition("\n")[0]
        raise InputError(f"{origin}{where}: expected YAML: {shorten(problem)}") from None
    finally:
        if loader is not None:
            loader.dispose()


def _let_time_decide(values: dict[str, Any], overrides: tuple[str, ...]) -> None:
    """Makes epochs and the end of the schedule automatic, if an override sets the time.

    Overrides of these keys still count.
    """
    keys = {override.partition("=")[0] for override in overrides}

    def is_set(name: str) -> bool:
        return any(f"{name}.".startswith(f"{key}.") for key in keys)

    training = values.get("training")
    if not isinstance(training, dict) or training.get("minutes") is None:
        return
    if "training.minutes" not in keys or is_set("training.epochs"):
        return
    training["epochs"] = AUTO
    schedule = training.get("schedule")
    if isinstance(schedule, dict) and not is_set("training.schedule.total_steps"):
        schedule.pop("total_steps", None)


def _remove_harmless_keys(values: dict[str, Any]) -> None:
    """Removes keys of earlier versions whose values change nothing; see `HARMLESS`."""
    for name, harmless in HARMLESS.items():
        *path, key = name.split(".")
        section = value_at(values, path)
        if isinstance(section, dict) and section.get(key, ...) in harmless:
            del section[key]


def _apply_override(values: dict[str, Any], override: str) -> None:
    path, equals, text = override.partition("=")
    keys = path.split(".")
    origin = f"--set {quoted(override)}"
    if not equals or not all(keys) or len(keys) > MOST_KEYS:
        raise InputError(f"{origin}: expected section.key=value, such as training.epochs=5")
    section: Any = values
    for key in keys[:-1]:
        section = _inner(section, key, origin)
    if isinstance(section, list):
        raise InputError(f"{origin}: expected the number of an entry before a key, found none")
    section[keys[-1]] = parse_yaml(text.encode("utf-8", "surrogateescape"), origin)


def _inner(section: Any, key: str, origin: str) -> Any:
    """The value of a key in a section or a list of sections; an empty section if it is missing."""
    if isinstance(section, list):
        if not key.isdecimal() or int(key) >= len(section):
            raise InputError(
                f"{origin}: expected the number of an entry, below {len(section)}, found"
                f" {shorten(key)}"
            )
        inner = section[int(key)]
    else:
        if section.get(key) is None:
            section[key] = {}
        inner = section[key]
    if not isinstance(inner, (dict, list)):
        raise InputError(f"{origin}: {shorten(key)} is a value, not a section")
    return inner
