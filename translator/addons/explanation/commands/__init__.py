"""The commands that take a sentence and a vocabulary apart."""

from translator.addons.explanation.commands.embeddings import embeddings, neighbours
from translator.addons.explanation.commands.explaining import explain

COMMANDS = {"Look inside": [explain, neighbours, embeddings]}
