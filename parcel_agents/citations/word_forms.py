"""Whether two words are forms of one, as a bracket in a quotation may have them."""

from __future__ import annotations

# Endings by which two forms of a word may differ; "less" is not among them.
_ENDINGS = frozenset(["", "s", "es", "ed", "d", "ing", "'s", "e", "ies", "y", "ied", "n", "en"])
_SHORTEST_STEM = 3
_IRREGULAR = {
    form: forms.split()[0]
    for forms in (
        "hold holds held holding|find finds found finding|make makes made making|say says said saying|give gives gave"
        " given giving|take takes took taken taking|see sees saw seen seeing|know knows knew known|go goes went gone"
        " going|come comes came coming|bring brings brought bringing|seek seeks sought seeking|bear bears bore borne"
        " bearing|begin begins began begun|run runs ran running|write writes wrote written writing|tell tells told"
        "|think thinks thought thinking|mean means meant|leave leaves left leaving|keep keeps kept keeping|meet meets"
        " met|set sets setting|lead leads led leading|show shows showed shown|arise arises arose arisen arising|rise"
        " rises rose risen|become becomes became becoming|understand understands understood|stand stands stood"
    ).split("|")
    for form in forms.split()
}


def same_stem(word: str, other: str) -> bool:
    """True if two words are forms of one: `holds` and `held`, `boat` and `boats`; `lawful` and `unlawful` are not."""
    if _IRREGULAR.get(word, word) == _IRREGULAR.get(other, other):
        return True
    if word[:_SHORTEST_STEM] != other[:_SHORTEST_STEM]:
        return False
    common = next((i for i, (a, b) in enumerate(zip(word, other, strict=False)) if a != b), min(len(word), len(other)))
    return word[common:] in _ENDINGS and other[common:] in _ENDINGS
