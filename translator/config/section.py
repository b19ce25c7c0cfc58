"""What every section of a configuration has in common."""

from collections.abc import Iterator
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

Share = Annotated[float, Field(ge=0.0, lt=1.0)]  # of something, such as a dropout rate


class Section(BaseModel):
    """A section of the YAML file: immutable, strict about types and key names.

    Every field has a description: the documentation's configuration page is
    written from them, so that each default is written once, in the schema. Every
    number has a bound far above any sensible value, so that a typing error is
    refused before anything is made.
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)

    @model_validator(mode="after")
    def _check_problems(self) -> Self:
        for problem in self._problems():
            raise ValueError(problem)
        return self

    def _problems(self) -> Iterator[str]:
        """Why its values do not fit each other, in the order in which this is checked."""
        return iter(())
