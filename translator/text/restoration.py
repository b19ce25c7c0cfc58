"""What a run knows of numbers, names and capitals; kept in ``restoration.json``."""

import json
from pathlib import Path
from typing import NamedTuple

from translator.base.errors import InputError
from translator.base.files import whole_file
from translator.base.languages import language_facts
from translator.corpora import SentencePairs
from translator.text.spans.name_contexts import NameContexts
from translator.text.spans.unseen_names import KnownNames
from translator.text.truecasing import Truecaser, begin_with_capitals
from translator.text.word_alignment import AlignmentHeads
from translator.tokenizers.subword import Tokenizers


class Restoration(NamedTuple):
    """What a run needs to restore numbers, names and capitals in translations.

    Attributes:
        alignment: the heads whose attention aligns a word with its source; None if no word of
            the validation split could be aligned.
        truecaser: of the target language; None if the tokenizer keeps capitals.
        names: recognises names that the training split does not contain.
        source_truecaser: of the source language; None if the tokenizer has no capitals, or the
            training split's sentences do not begin with one.
    """

    alignment: AlignmentHeads | None
    truecaser: Truecaser | None
    names: KnownNames
    source_truecaser: Truecaser | None = None

    @classmethod
    def of_corpus(cls, train: SentencePairs, tokenizers: Tokenizers) -> "Restoration":
        """Learns everything but the heads from the text of the training split."""
        truecaser = Truecaser.learn(train.targets) if tokenizers.target.lowercases else None
        names = KnownNames.learn(*train, tokenizers.source.language)
        if language_facts(tokenizers.source.language).capitalizes_nouns:
            names = names._replace(contexts=NameContexts.learn(*train))
        source_truecaser = None
        if not tokenizers.source.lowercases and begin_with_capitals(train.sources):
            source_truecaser = Truecaser.learn(train.sources)
        return cls(None, truecaser, names, source_truecaser)

    @classmethod
    def nothing(cls) -> "Restoration":
        """The restoration of a run that has learnt none."""
        return cls(None, None, KnownNames(frozenset(), None))

    def save(self, path: Path) -> None:
        """Writes it as JSON."""
        values = {
            "alignment": self.alignment and self.alignment._asdict(),
            "truecaser": self.truecaser and self.truecaser.to_json(),
            "source_words": sorted(self.names.words),
            "usual_name": self.names.usual,
            "other_names": self.names.others,
            "place_names": self.names.places,
            "name_contexts": self.names.contexts and self.names.contexts._asdict(),
            "source_truecaser": self.source_truecaser and self.source_truecaser.to_json(),
        }
        with whole_file(path) as file:
            file.write(json.dumps(values, ensure_ascii=False).encode())

    @classmethod
    def load(cls, path: Path) -> "Restoration":
        """Reads what `save` wrote; returns `nothing` if there is no such file.

        Raises:
            InputError: the file is damaged.
        """
        try:
            values = json.loads(path.read_text("utf-8"))
            alignment, truecaser = values["alignment"], values["truecaser"]
            words, usual = values["source_words"], values.get("usual_name")
            source_truecaser = values.get("source_truecaser")
            others = tuple(values.get("other_names", ()))
            places = tuple(values.get("place_names", ()))
            contexts = values.get("name_contexts")
            if not all(isinstance(word, str) for word in (*words, usual or "", *others, *places)):
                raise ValueError
            return cls(
                None if alignment is None else AlignmentHeads.from_json(alignment),
                None if truecaser is None else Truecaser.from_json(truecaser),
                KnownNames(
                    frozenset(words),
                    usual,
                    others,
                    None if contexts is None else NameContexts.from_json(contexts),
                    places,
                ),
                None if source_truecaser is None else Truecaser.from_json(source_truecaser),
            )
        except FileNotFoundError:
            return cls.nothing()
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise InputError(
                f"{path}: expected what training writes, found other text; train again, or"
                " remove the file to translate without it"
            ) from None
