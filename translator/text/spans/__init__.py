"""Marks that the model is not shown, such as tags, and their places in a translation."""
