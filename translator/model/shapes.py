"""The type of a tensor's shape, for annotations."""

Shape = tuple[int | None, ...]  # None where a dimension is not known yet
