"""The commands that look at attention."""

from translator.addons.attention.commands import attention, heads

COMMANDS = {"Look inside": [attention.attention, attention.draw, heads.heads]}
FIRST = [attention.attention, heads.heads]
