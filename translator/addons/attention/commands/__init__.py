"""The commands that look at attention."""

from translator.addons.attention.commands.attention import attention, draw
from translator.addons.attention.commands.film import film
from translator.addons.attention.commands.heads import align, heads
from translator.addons.attention.commands.model_pictures import masks, positions

COMMANDS = {"Look inside": [attention, draw, heads, film, align, positions, masks]}
