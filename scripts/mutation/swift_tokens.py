"""Swift source as tokens: enough of the language to find operands, conditions and statements."""

import re
from dataclasses import dataclass

OPENING = {"(": ")", "[": "]", "{": "}"}
CLOSING = {close: open for open, close in OPENING.items()}
OPERATORS = set("/=-+!*%<>&|^~?.")
WORD = re.compile(r"[@#$]?[A-Za-z_]\w*|\$\d+|`[^`]+`")
NUMBER = re.compile(r"0[xob][0-9A-Fa-f_]+|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?")
# Behind or in front of these a line break ends nothing.
GOES_ON_BEHIND = {",", "(", "[", "=", ":", "->", "guard", "if", "while", "else", "try", "&&", "||"}
GOES_ON_BEFORE = {".", ",", ")", "]", ":", "else", "catch", "{", "where", "throws", "->"}


@dataclass
class Token:
    kind: str  # word, operator, bracket, literal, newline; "," ";" and ":" are of kind mark
    text: str
    start: int
    end: int
    # White space before and behind.
    is_open_left: bool = True
    is_open_right: bool = True
    # The index of the bracket that this one belongs to.
    partner: int = -1

    @property
    def is_binary(self):
        return self.kind == "operator" and self.is_open_left and self.is_open_right


def end_of_string(text, place):
    """Where the string literal that begins at `place` ends."""
    hashes = len(text[place:]) - len(text[place:].lstrip("#"))
    quote = place + hashes
    marks = '"""' if text.startswith('"""', quote) else '"'
    closing = marks + "#" * hashes
    escape = "\\" + "#" * hashes
    place = quote + len(marks)
    while not text.startswith(closing, place):
        if place >= len(text):
            raise ValueError("a string literal is not closed")
        if text.startswith(escape + "(", place):
            place = end_of_interpolation(text, place + len(escape) + 1)
        elif text.startswith(escape, place):
            place += len(escape) + 1
        else:
            place += 1
    return place + len(closing)


def end_of_interpolation(text, place):
    depth = 1
    while depth > 0:
        if text[place] == '"':
            place = end_of_string(text, place)
            continue
        depth += {"(": 1, ")": -1}.get(text[place], 0)
        place += 1
    return place


def end_of_comment(text, place):
    """Where the comment that begins at `place` ends."""
    if text.startswith("//", place):
        end = text.find("\n", place)
        return len(text) if end < 0 else end
    depth = 0
    while True:
        if text.startswith("/*", place):
            depth, place = depth + 1, place + 2
        elif text.startswith("*/", place):
            depth, place = depth - 1, place + 2
            if depth == 0:
                return place
        else:
            place += 1


def raw_tokens(text):
    place = 0
    while place < len(text):
        character = text[place]
        if character == "\n":
            yield Token("newline", "\n", place, place + 1)
            place += 1
        elif character.isspace():
            place += 1
        elif text.startswith(("//", "/*"), place):
            place = end_of_comment(text, place)
        elif character == '"' or re.match(r'#+"', text[place:place + 4]):
            end = end_of_string(text, place)
            yield Token("literal", text[place:end], place, end)
            place = end
        elif word := WORD.match(text, place):
            yield Token("word", word[0], place, word.end())
            place = word.end()
        elif number := NUMBER.match(text, place):
            yield Token("literal", number[0], place, number.end())
            place = number.end()
        elif character in OPENING or character in CLOSING:
            yield Token("bracket", character, place, place + 1)
            place += 1
        elif character in OPERATORS:
            end = place + 1
            while end < len(text) and text[end] in OPERATORS:
                end += 1
            # A member is named behind a single dot; what is in front of it is a postfix operator.
            if end - place > 1 and text[end - 1] == "." and text[end - 2] in "?!>":
                end -= 1
            yield Token("operator", text[place:end], place, end)
            place = end
        else:
            yield Token("mark", character, place, place + 1)
            place += 1


def tokens(text):
    """The tokens of a file. Line breaks stand in it only where they may end a statement."""
    found = list(raw_tokens(text))
    for token in found:
        before, behind = text[token.start - 1:token.start], text[token.end:token.end + 1]
        token.is_open_left = not before or before.isspace() or before in "([{,;:"
        token.is_open_right = not behind or behind.isspace() or behind in ")]},;:"
    kept = []
    enclosing = []
    for index, token in enumerate(found):
        if token.text in OPENING and token.kind == "bracket":
            enclosing.append(token.text)
        elif token.text in CLOSING and token.kind == "bracket":
            enclosing.pop()
        elif token.kind == "newline":
            following = next((next_ for next_ in found[index:] if next_.kind != "newline"), None)
            last = kept[-1] if kept else None
            if enclosing and enclosing[-1] in "([" or last is None or following is None:
                continue
            if last.kind == "newline" or last.is_binary or last.text in GOES_ON_BEHIND:
                # What a case's or a label's colon ends goes on as a statement of its own.
                if last.text != ":":
                    continue
            if following.is_binary or following.text in GOES_ON_BEFORE:
                continue
        kept.append(token)
    opened = []
    for index, token in enumerate(kept):
        if token.kind != "bracket":
            continue
        if token.text in OPENING:
            opened.append(index)
        else:
            token.partner = opened.pop()
            kept[token.partner].partner = index
    return kept
