"""What every section of a configuration has in common."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Share = Annotated[float, Field(ge=0.0, lt=1.0)]  # of something, such as a dropout rate


class Section(BaseModel):
    """A section of the YAML file: immutable, strict about types and key names.

    Every field has a description: the documentation's configuration page is
    written from them, so that each default is written once, in the schema. Every
    number has a bound far above any sensible value, so that a typing error is
    refused before anything is made.
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)
