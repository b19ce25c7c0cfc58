"""How much of what a beam found has the same tokens."""

import math
from collections import Counter
from collections.abc import Sequence

from translator.search.engine import SearchHypothesis


def token_support(hypothesis: SearchHypothesis, beam: Sequence[SearchHypothesis]) -> list[float]:
    """For each token of a hypothesis the share of its beam that has it too.

    Hypotheses count as much as they are probable. A token that stands there twice has to stand
    in the others twice. Summed up, it is what minimum Bayes risk decoding ranks by: Kumar and
    Byrne (2004), https://aclanthology.org/N04-1022

    Returns:
        (T,) from 0 to 1; nothing if the beam has no other hypothesis, as it says nothing then.
    """
    if len(beam) < 2:
        return []
    best = max(each.log_probability for each in beam)
    weights = [math.exp(each.log_probability - best) for each in beam]
    counts = [Counter(each.ids) for each in beam]
    seen: Counter[int] = Counter()
    support = []
    for token in hypothesis.ids:
        seen[token] += 1
        times = seen[token]
        support.append(sum(w for w, count in zip(weights, counts) if count[token] >= times))
    total = sum(weights)
    return [each / total for each in support]
