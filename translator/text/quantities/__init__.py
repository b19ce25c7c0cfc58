"""Numbers, times, dates and amounts: one grammar reads them, and another language writes them.

Each kind is a module that defines its meaning. The words are in the table of each language.
"""

from translator.text.quantities.quantity import Quantity, write
from translator.text.quantities.reading import QuantityReader

__all__ = ["Quantity", "QuantityReader", "write"]
