"""Names in texts: spaCy's words, rules over them, and every name the graph knows."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import spacy
from spacy.matcher import PhraseMatcher

from neomem.errors import ConfigError
from neomem.models import name_rules
from neomem.models.name_rules import Word
from neomem.ports import EntityType, Found, Known, Name
from neomem.text import clean, ordinary_words

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

# A store's language is the name of a full-text analyzer; spaCy's are ISO codes, `xx` any language.
_CODES = {
    "arabic": "ar", "danish": "da", "dutch": "nl", "english": "en", "finnish": "fi", "french": "fr",
    "german": "de", "greek": "el", "hungarian": "hu", "italian": "it", "norwegian": "nb",
    "portuguese": "pt", "russian": "ru", "spanish": "es", "swedish": "sv", "turkish": "tr",
}  # fmt: skip
_TYPES: dict[str, EntityType] = {
    "PERSON": "person", "PER": "person", "ORG": "organisation", "GPE": "place", "LOC": "place",
    "FAC": "place", "NORP": "group", "PRODUCT": "product", "WORK_OF_ART": "work", "EVENT": "event",
    "LAW": "work", "LANGUAGE": "other", "MISC": "other",
}  # fmt: skip
_SUBJECTS = {"nsubj", "nsubjpass"}
_LONGEST = 100_000  # characters looked at; what is beyond holds names of its own in other chunks


@dataclass(frozen=True, slots=True)
class SpacyFinder:
    """An EntityFinder: built in, or a trained pipeline where one is installed."""

    nlp: "Language"
    trained: bool
    capital_nouns: bool
    matcher: PhraseMatcher | None = None
    known: tuple[Known, ...] = ()

    @classmethod
    def open(cls, language: str, pipeline: str | None = None) -> "SpacyFinder":
        """Return the finder of a store's language, or of an installed pipeline."""
        nlp = _pipeline(pipeline) if pipeline else _blank(_CODES.get(language, "xx"))
        return cls(nlp, trained=pipeline is not None, capital_nouns=language == "german")

    def knowing(self, known: Iterable[Known]) -> "SpacyFinder":
        """Return a finder that also finds these, however they are written."""
        entities = tuple(known)
        matcher = PhraseMatcher(self.nlp.vocab, attr="LOWER")
        for index, entity in enumerate(entities):
            forms = [self.nlp.make_doc(clean(form)) for form in (entity.name, *entity.aliases)]
            matcher.add(str(index), [form for form in forms if len(form)])
        return SpacyFinder(self.nlp, self.trained, self.capital_nouns, matcher, entities)

    def find(self, text: str, names: Sequence[Name] | None = None) -> list[Found]:
        """Return the entities of a text in order, none overlapping."""
        text = name_rules.readable(clean(text[:_LONGEST]))
        doc = self.nlp(text)
        words = _words(doc)
        named = self._trained_names(doc) if self.trained else self._named(words, text, names)
        found = name_rules.merge(self._known(doc), name_rules.written(text), named)
        return (
            found
            if self.trained and doc.has_annotation("DEP")
            else (name_rules.with_subjects(found, words))
        )

    def _named(self, words: Sequence[Word], text: str, names: Sequence[Name] | None) -> list[Found]:
        by_rule = name_rules.capitals(words, text, nouns_too=self.capital_nouns)
        return by_rule if names is None else name_rules.agreed(by_rule, names, text)

    def _known(self, doc: "Doc") -> list[Found]:
        found: list[Found] = []
        for match, first, end in self.matcher(doc) if self.matcher else ():
            entity, span = self.known[int(doc.vocab.strings[match])], doc[first:end]
            if _could_mean(entity, span.text):
                place = span.start_char, span.end_char
                found.append(Found(entity.name, entity.type, *place, 0.95))
        return found

    @staticmethod
    def _trained_names(doc: "Doc") -> list[Found]:
        return [
            Found(
                " ".join(span.text.split()),
                _TYPES[span.label_],
                span.start_char,
                span.end_char,
                0.85,
                subject=span.root.dep_ in _SUBJECTS,
            )
            for span in doc.ents
            if span.label_ in _TYPES  # dates, amounts and numbers are kept apart
        ]


def _could_mean(entity: Known, written: str) -> bool:
    """Keep a word such as "will" from being Will, unless it has his capital; "It" is nobody."""
    if not name_rules.could_be_name(written):
        return False
    forms = (entity.name, *entity.aliases)
    return written in forms or not (written.islower() and written in ordinary_words())


def _words(doc: "Doc") -> list[Word]:
    return [
        Word(token.text, token.idx, token.idx + len(token.text), bool(token.is_sent_start))
        for token in doc
        if not token.is_space
    ]


@cache
def _blank(code: str) -> "Language":
    nlp = spacy.blank(code)
    nlp.add_pipe("sentencizer")
    nlp.max_length = 10 * _LONGEST
    return nlp


@cache
def _pipeline(name: str) -> "Language":
    try:
        nlp = spacy.load(name, exclude=["lemmatizer", "attribute_ruler"])
    except (OSError, ValueError) as error:
        raise ConfigError(
            f"entities.pipeline: {name} is not an installed spaCy pipeline",
            hint=f"`python -m spacy download {name}`, or leave entities.pipeline out",
        ) from error
    nlp.max_length = 10 * _LONGEST
    return nlp
