"""The commands that look at attention."""

from translator.addons.attention.commands import attention, heads, model_pictures

COMMANDS = {
    "Look inside": [
        attention.attention,
        attention.draw,
        heads.heads,
        model_pictures.positions,
        model_pictures.masks,
    ]
}
FIRST = [attention.attention, heads.heads]
