"""The commands that take a sentence and a vocabulary apart."""

from translator.addons.explanation.commands import embeddings, explaining

COMMANDS = {"Look inside": [explaining.explain, embeddings.neighbours, embeddings.embeddings]}
FIRST = [explaining.explain]
