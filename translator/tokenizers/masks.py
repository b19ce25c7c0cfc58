"""Masks: tokens in place of text that a model cannot spell, such as a new name or an address.

In text a mask is one character of Unicode's private use area. Tokenizers never join it with its
neighbours. Like the ids of tags, its id comes after the ids of the model's pieces. Readers see
``⟨1⟩`` for a word and ``⟨#1⟩`` for a number.
"""

from translator.base.late import late_pattern

MASKS_OF_A_KIND = 9
FIRST_WORD, FIRST_NUMBER = 0xE001, 0xE011
WORD_MASKS = "".join(map(chr, range(FIRST_WORD, FIRST_WORD + MASKS_OF_A_KIND)))
NUMBER_MASKS = "".join(map(chr, range(FIRST_NUMBER, FIRST_NUMBER + MASKS_OF_A_KIND)))
MASKS = WORD_MASKS + NUMBER_MASKS
MASK = late_pattern(f"[{MASKS}]")
_NAMES = {
    **{mask: f"⟨{number}⟩" for number, mask in enumerate(WORD_MASKS, start=1)},
    **{mask: f"⟨#{number}⟩" for number, mask in enumerate(NUMBER_MASKS, start=1)},
}
_BY_NAME = {name: mask for mask, name in _NAMES.items()}
MASK_NAME = late_pattern("⟨#?[1-9]⟩")


def name_of_mask(mask: str) -> str:
    """The name that readers see for a mask, such as ``⟨1⟩``."""
    return _NAMES[mask]


def with_names(text: str) -> str:
    """A text with the names of its masks, for readers."""
    return MASK.sub(lambda match: _NAMES[match.group()], text)


def with_masks(text: str) -> str:
    """A text of a model's pieces, with masks instead of the names of masks."""
    return MASK_NAME.sub(lambda match: _BY_NAME[match.group()], text) if "⟨" in text else text
