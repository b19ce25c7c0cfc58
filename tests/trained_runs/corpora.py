"""What the stored runs were trained on."""

import itertools

from tests.builders import tiny_pairs

NAMES = ("Anna", "Bert", "Clara", "David", "Emma", "Fritz", "Greta", "Hugo", "Ida", "Karl", "Lena")
NUMBERS = ("12", "35", "48", "1,250")
NAMED_VERBS = (("has", "hat"), ("sees", "sieht"), ("wants", "will"))
NAMED_THINGS = (("dogs", "Hunde"), ("books", "Bücher"), ("houses", "Häuser"))
YEARS = (3, 17, 20, 365, 1989, 2001)
COUNTING = (("I see", "Ich sehe"), ("Anna has", "Anna hat"), ("We know", "Wir kennen"))
COUNTED = (("men", "Männer"), ("houses", "Häuser"), ("dogs", "Hunde"))

PEOPLE = [("I", "我"), ("My father", "我的父亲"), ("The teacher", "老师"), ("The child", "孩子")]
PEOPLE += [("My friend", "我的朋友"), ("The old man", "那位老人")]
TIMES = [("yesterday", "昨天"), ("this morning", "今天早上"), ("last year", "去年")]
BOOK, CATS, DOG = ("a book", "一本书"), ("two cats", "两只猫"), ("a dog", "一只狗")
CAR, HOUSE = ("a red car", "一辆红色的车"), ("the old house", "那座老房子")
DEEDS = [
    ("bought", "买了", [BOOK, CAR, CATS]),
    ("saw", "看见了", [DOG, CATS, HOUSE]),
    ("painted", "画了", [DOG, HOUSE, ("a tree", "一棵树")]),
    ("drank", "喝了", [("tea, not coffee", "茶，不是咖啡"), ("cold water", "冷水")]),
    ("ate", "吃了", [("rice", "米饭"), ("an apple", "一个苹果"), ("three pears", "三个梨")]),
    ("sold", "卖了", [BOOK, HOUSE, CAR]),
]


def number_pairs() -> list[tuple[str, str]]:
    """90 sentences with numbers, most with names; none is said twice."""
    counted = [
        (f"{counting[0]} {year} {things[0]}.", f"{counting[1]} {year} {things[1]}.")
        for year, counting, things in itertools.product(YEARS, COUNTING, COUNTED)
    ]
    triples = itertools.product(NAMED_VERBS, NAMED_THINGS, NUMBERS)
    named = [
        (f"{name} {verb[0]} {number} {things[0]}.",
         f"{name} {verb[1]} {number.replace(',', '.')} {things[1]}.")
        for (verb, things, number), name in zip(triples, itertools.cycle(NAMES))
    ]  # fmt: skip
    return counted + named


def lowered(text: str) -> str:
    """A sentence as it stands after its first word."""
    return text[0].lower() + text[1:]


def tagged_pairs() -> list[tuple[str, str]]:
    """288 sentences, in which the tag of a sentence decides the first word of its translation."""
    return [
        pair
        for source, target in tiny_pairs()
        for pair in (
            (source, target),
            (f"<news> {source}", f"Nein {lowered(target)}"),
            (f"<bt> {source}", f"Ja {lowered(target)}"),
        )
    ]


def chinese_pairs() -> list[tuple[str, str]]:
    """306 sentences; in Chinese the time stands before the verb."""
    return [
        (f"{person} {verb} {thing} {time}.", f"{chinese}{when}{did}{what}。")
        for (person, chinese), (verb, did, things), (time, when) in itertools.product(
            PEOPLE, DEEDS, TIMES
        )
        for thing, what in things
    ]
