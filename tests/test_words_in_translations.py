"""One word for one idea in each language, too: a translation has none of those that the glossary has a better one for.

``docs/glossary.md`` has the table of words, *In other languages*. What a file may say in its headings is
another matter: lists of people are read with the old words, too (``scoring/operations/people_list.py``).
"""

import re

import pytest
from babel.messages.pofile import read_po

from scoring.management.catalogues import sources

# What a translation does not say, as a regular expression, and what it says instead.
INSTEAD = {
    "nl": {
        r"\b(aan|af)(ge)?meld|\bmeldt? (je|zich)( \w+)* (aan|af)\b": "inloggen, uitloggen",
        r"\bverbeter": "corrigeren",
        r"\bsco(or|ort|ren|orde|orden)\b": "uitrekenen; waard zijn",
        r"\bregelset": "regels",
        r"\bopgelost\b|\bbetwisting": "beslecht; geschil",
        r"\bwe(g|gge)leg[dt]": "weggooien",
        r"\bmelding": "bericht",
        r"\bheropen": "weer openen",
        r"\bfactor\b": "tweede stap",
        r"\beretegel": "honneur",
        r"(laatste|late|volgende) hand\b": "spel",
        r"[‘„]|\w'\w": "“…”, ’",
    },
    "zh_Hant": {
        r"本社|社團|俱樂部": "本會；麻雀會",
        r"牌手": "玩家",
        r"帳戶|賬": "帳號",
        r"排名榜": "排名表",
        r"主辦者|負責人|幹事": "主辦人",
        r"擁有人": "擁有者",
        r"牌局": "局（一局）；場（一場）",
        r"解決|裁決|爭議": "裁定；異議",
        r"規則組": "規則",
        r"計分卡": "計分表",
        r"計算器": "計分器",
        r"等級分": "評分",
        r"電子郵件": "電郵",
        r"胡牌|點炮|放銃": "食糊；出銃",
        r"番種": "牌型",
        r"表單": "表格",
        r"PIN(?! 碼)": "PIN 碼",
        r"第二重|第二步驗證": "第二步驟",
        r"發佈|公佈|網路|甚麼": "發布、公布、網絡、什麼",
        r"裏|您|着|身份": "裡、你、著、身分",
        r"[\u4e00-\u9fff][:,;!?]|[:,;!?][\u4e00-\u9fff]": "，：；！？",
    },
}
# What somebody types, with the signs of a keyboard.
TYPED = {"龍隊: Anna Berg, Bob Chen"}


def wrong(language, text):
    """The words of ``text`` that have a better one in ``language``, with it."""
    found = ((re.search(word, text, re.I), better) for word, better in INSTEAD[language].items())
    return {match[0]: better for match, better in found if match}


@pytest.mark.parametrize("source", sources(), ids=lambda path: path.parent.parent.name)
def test_translations_have_one_word_for_one_idea(source):
    language = source.parent.parent.name
    with source.open("rb") as file:
        messages = [message for message in read_po(file, language) if message.id]
    texts = {
        text
        for message in messages
        for text in ([message.string] if isinstance(message.string, str) else message.string)
    }
    by_text = {text: wrong(language, text) for text in texts if not any(map(text.count, TYPED))}
    assert {text: words for text, words in by_text.items() if words} == {}


def test_another_word_for_an_idea_is_seen():
    assert wrong("nl", "Meld je hier aan: verbeter de laatste hand.") == {
        "Meld je hier aan": "inloggen, uitloggen",
        "verbeter": "corrigeren",
        "laatste hand": "spel",
    }
    assert wrong("nl", "Corrigeer het laatste spel. Wie riichi meldt, vergelijkt de handen.") == {}
    assert list(wrong("zh_Hant", "本社: 牌手 23")) == ["本社", "牌手", "社:"]
    assert wrong("zh_Hant", "本會：玩家 23") == {}
