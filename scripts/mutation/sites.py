"""Where a source can be changed, and how.

A change is a pair of insertions around a stretch of the text, so that many of them stand in one
file and no line moves. `%d` in them becomes the mutant's number.
"""

import re
from dataclasses import dataclass

from swift_tokens import tokens

RELATIONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
EQUALITIES = {"==": "!=", "!=": "==", "===": "!==", "!==": "===", "~=": "not ~="}
COMPARISONS = {**RELATIONS, **EQUALITIES}
ASSIGNMENTS = {"=", "+=", "-=", "*=", "&=", "|=", "^=", "&+=", "&-="}
# An operand ends at these, on its left and on its right.
STOPS_LEFT = {
    "return", "guard", "if", "while", "in", "where", "try", "throw", "else", "case", "let", "var",
    "switch", "for", "await", "is", "defer", "repeat", "do", "catch", "yield",
}
STOPS_RIGHT = {"else", "where", "in"}
# What their closures hold is a value.
TRANSFORMING = {
    "map", "flatMap", "compactMap", "filter", "contains", "first", "last", "allSatisfy", "count",
    "reduce", "sorted", "min", "max", "firstIndex",
}
DECLARATIONS = {
    "extension", "func", "struct", "class", "enum", "protocol", "typealias", "init", "subscript",
    "associatedtype", "actor", "import", "deinit", "operator",
}
MODIFIERS = {
    "private", "fileprivate", "internal", "package", "public", "open", "static", "final",
    "mutating", "nonmutating", "borrowing", "consuming", "override", "convenience", "required",
    "nonisolated", "indirect", "lazy", "weak", "unowned", "dynamic", "class",
}
STATEMENT_WORDS = STOPS_LEFT | DECLARATIONS | MODIFIERS | {
    "break", "continue", "fallthrough", "default", "get", "set", "willSet", "didSet", "fatalError",
    "preconditionFailure", "consume", "discard", "precondition", "assert",
}


@dataclass
class Site:
    """One change that can be made."""
    kind: str
    # The stretch it changes; an empty one is a place where something is put in.
    start: int
    end: int
    before: str
    behind: str
    # What it does, for the report.
    text: str


class Source:
    """One file and what can be changed in it."""

    def __init__(self, text):
        self.text = text
        self.tokens = tokens(text)
        self.sites = []
        self.starts = self.statement_starts()
        self.find_comparisons()
        self.find_conditions()
        self.find_terms()
        self.find_ternaries()
        self.find_statements()

    # Helpers

    def shown(self, first, last):
        """The source between two tokens, on one line."""
        return re.sub(r"\s+", " ", self.text[self.tokens[first].start:self.tokens[last].end])

    def add(self, kind, first, last, before, behind, text):
        self.sites.append(Site(
            kind, self.tokens[first].start, self.tokens[last].end, before, behind, text))

    def statement_starts(self):
        """The indices at which a statement begins."""
        starts = set()
        fresh = True
        first = 0
        for index, token in enumerate(self.tokens):
            if token.kind == "newline" or token.text == ";" and token.kind == "mark":
                fresh = True
                continue
            if fresh or token.text == "}" and token.kind == "bracket":
                if token.text != "}":
                    starts.add(index)
                    first = index
                fresh = False
            if token.kind == "bracket" and token.text == "{":
                fresh = True
            elif token.text == "in" and token.kind == "word" and self.tokens[first].text != "for":
                fresh = True
            elif token.text == ":" and self.tokens[first].text in ("case", "default"):
                fresh = True
        return starts

    def statement_start(self, index):
        """Where the statement around a token begins, brackets left aside."""
        while index >= 0:
            token = self.tokens[index]
            if index in self.starts:
                return index
            if token.kind == "bracket" and token.text in ")]}" and token.partner >= 0:
                index = token.partner
                continue
            index -= 1
        return 0

    def is_condition(self, index):
        """Whether a brace behind this token, outside of brackets, begins a block."""
        while index >= 0:
            token = self.tokens[index]
            if token.kind == "word" and token.text in ("if", "guard", "while", "for", "switch"):
                return True
            if index in self.starts or token.kind == "newline":
                return False
            if token.kind == "bracket":
                if token.text in "([{":
                    return False
                index = token.partner
            index -= 1
        return False

    def is_stop(self, token, stops):
        if token.kind == "newline" or token.kind == "mark":
            return True
        if token.kind == "word":
            return token.text in (STOPS_LEFT | STOPS_RIGHT)
        if token.kind == "operator":
            return token.text in ASSIGNMENTS or token.text in stops or token.text == "->" or (
                token.text == "?" and token.is_binary)
        return False

    def left_end(self, index, stops):
        """The first token of the operand that ends in front of `index`."""
        place = index - 1
        first = index
        while place >= 0:
            token = self.tokens[place]
            if self.is_stop(token, stops):
                break
            if token.kind == "bracket":
                if token.text in "([{":
                    break
                place = token.partner
            first = place
            place -= 1
        return first

    def right_end(self, index, stops):
        """The last token of the operand that begins behind `index`."""
        is_condition = self.is_condition(index)
        place = index + 1
        last = index
        while place < len(self.tokens):
            token = self.tokens[place]
            if self.is_stop(token, stops):
                break
            if token.kind == "bracket":
                if token.text in ")]}" or token.text == "{" and is_condition:
                    break
                place = token.partner
            last = place
            place += 1
        return last

    def operands(self, index, stops):
        """The first and the last token of a binary operator's expression, if both are there."""
        first, last = self.left_end(index, stops), self.right_end(index, stops)
        return (first, last) if first < index < last else None

    def is_in_declaration(self, index):
        start = self.statement_start(index)
        while self.tokens[start].text in MODIFIERS or self.tokens[start].text.startswith("@"):
            start += 1
            if self.tokens[start].text == "(":
                start = self.tokens[start].partner + 1
        return self.tokens[start].text in DECLARATIONS

    # What is changed

    def find_comparisons(self):
        stops = {"&&", "||", *COMPARISONS}
        for index, token in enumerate(self.tokens):
            if not token.is_binary or token.text not in COMPARISONS:
                continue
            if self.tokens[index - 1].text == "func" or self.is_in_declaration(index):
                continue
            span = self.operands(index, stops)
            if span is None:
                continue
            first, last = span
            shown = self.shown(first, last)
            if token.text in EQUALITIES:
                self.add(
                    "comparison", first, last, "mutantFlips(%d, ", ")",
                    f"`{shown}` with `{EQUALITIES[token.text]}`")
                continue
            other = RELATIONS[token.text]
            left, right = self.shown(first, index - 1), self.shown(index + 1, last)
            if '"""' in left + right or "//" in self.text[
                    self.tokens[first].start:self.tokens[last].end]:
                continue
            self.add(
                "comparison", first, last,
                f"(mutant(%d) ? ({left} {other} {right}) : (", "))",
                f"`{shown}` with `{other}`")

    def clauses(self, index):
        """The clauses of the condition behind a keyword: each its first and its last token."""
        first = place = index + 1
        while place < len(self.tokens):
            token = self.tokens[place]
            is_end = token.text == "{" or token.text == "else" and token.kind == "word"
            if is_end or token.text == "," and token.kind == "mark":
                if place > first:
                    yield first, place - 1
                first = place + 1
                if is_end:
                    return
            elif token.kind == "bracket":
                if token.text in ")]}":
                    return
                place = token.partner
            elif token.kind == "newline":
                return
            place += 1

    def find_conditions(self):
        for index, token in enumerate(self.tokens):
            if token.kind != "word" or token.text not in ("guard", "if", "while"):
                continue
            # `where` and `repeat … while` are of other forms.
            clauses = list(self.clauses(index))
            if not clauses:
                continue
            for first, last in clauses:
                word = self.tokens[first].text
                shown = self.shown(first, last)
                if word in ("let", "var", "case") or word.startswith("#"):
                    if word.startswith("#"):
                        continue
                    self.sites.append(Site(
                        f"{token.text} negated", self.tokens[first].start,
                        self.tokens[first].start, "!mutant(%d), ", "",
                        f"`{token.text} {shown}` never holds"))
                    continue
                if not self.is_single_equality(first, last):
                    self.add(
                        f"{token.text} negated", first, last, "mutantFlips(%d, ", ")",
                        f"`{token.text} {shown}` negated")
                if token.text == "guard" or len(clauses) > 1:
                    self.add(
                        f"{token.text} clause dropped", first, last, "mutantPasses(%d, ", ")",
                        f"`{token.text} {shown}` always holds")
                if token.text == "if":
                    self.add(
                        "if never", first, last, "mutantFails(%d, ", ")",
                        f"`if {shown}` never holds")

    def is_single_equality(self, first, last):
        place = first
        while place <= last:
            token = self.tokens[place]
            if token.kind == "bracket":
                place = token.partner
            elif token.is_binary and token.text in EQUALITIES:
                return self.operands(place, {"&&", "||", *COMPARISONS}) == (first, last)
            place += 1
        return False

    def find_terms(self):
        """The terms of conjunctions and disjunctions: each is left out."""
        seen = set()
        for index, token in enumerate(self.tokens):
            if not token.is_binary or token.text not in ("&&", "||"):
                continue
            stops = {"&&", "||"}
            left, right = self.left_end(index, stops), self.right_end(index, stops)
            for first, last in ((left, index - 1), (index + 1, right)):
                if first > last or (first, last) in seen:
                    continue
                seen.add((first, last))
                function = "mutantPasses" if token.text == "&&" else "mutantFails"
                # Beside `&&` a term is left out where it holds, beside `||` where it does not.
                self.add(
                    "term dropped", first, last, f"{function}(%d, ", ")",
                    f"`{self.shown(first, last)}` left out of `{token.text}`")

    def find_ternaries(self):
        for index, token in enumerate(self.tokens):
            if token.text != "?" or not token.is_binary:
                continue
            first = self.left_end(index, set())
            if first >= index or self.is_single_equality(first, index - 1):
                continue
            self.add(
                "choice negated", first, index - 1, "mutantFlips(%d, ", ")",
                f"`{self.shown(first, index - 1)} ?` negated")

    def enclosing_brace(self, index):
        """The index of the brace that the token lies in, or -1."""
        index -= 1
        while index >= 0:
            token = self.tokens[index]
            if token.kind == "bracket":
                if token.text == "{":
                    return index
                if token.text in ")]}":
                    index = token.partner
            index -= 1
        return -1

    def is_in_initializer(self, index):
        brace = self.enclosing_brace(index)
        while brace >= 0:
            start = self.statement_start(brace)
            words = {token.text for token in self.tokens[start:brace] if token.kind == "word"}
            if "init" in words or "deinit" in words:
                return True
            brace = self.enclosing_brace(brace)
        return False

    def is_result(self, first, last):
        """Whether a statement is all that its braces hold and seems to be their value."""
        brace = self.enclosing_brace(first)
        if brace < 0:
            return True
        inside = [token for token in self.tokens[brace + 1:first] if token.kind != "newline"]
        if inside and inside[-1].text != "in" or any(
                token.kind != "newline"
                for token in self.tokens[last + 1:self.tokens[brace].partner]):
            return False
        if self.is_in_brackets(brace):
            return True
        start = self.statement_start(brace)
        words = {token.text for token in self.tokens[start:brace]}
        return bool(words & {"->", "get", "var", "let", "return", *ASSIGNMENTS, *TRANSFORMING})

    def is_in_brackets(self, index):
        """Whether a closure is an argument in parentheses."""
        index -= 1
        while index >= 0 and self.tokens[index].text != "{":
            token = self.tokens[index]
            if token.kind == "bracket":
                if token.text in "([":
                    return True
                index = token.partner
            index -= 1
        return False

    def find_statements(self):
        for start in sorted(self.starts):
            last = start
            place = start
            assignment = None
            while place < len(self.tokens):
                token = self.tokens[place]
                if token.kind == "newline" or token.text == ";" and token.kind == "mark":
                    break
                if token.kind == "bracket":
                    if token.text in ")]}":
                        break
                    place = token.partner
                elif token.kind == "operator" and token.is_binary and assignment is None and \
                        token.text in ASSIGNMENTS:
                    assignment = place
                last = place
                place += 1
            self.add_statement(start, last, assignment)

    def add_statement(self, start, last, assignment):
        first = start
        while self.tokens[first].text in ("try", "unsafe", "await"):
            first += 1
            if self.tokens[first].text in ("?", "!"):
                first += 1
        word = self.tokens[first]
        if word.kind != "word" or word.text in STATEMENT_WORDS or word.text.startswith(("@", "#")):
            return
        shown = self.shown(start, last)
        if '"""' in shown:
            shown = shown.split('"""')[0] + "…"
        if assignment is not None and word.text != "_":
            if not self.is_in_initializer(start):
                self.add(
                    "assignment dropped", start, last, "if !mutant(%d) { ", " }",
                    f"`{shown}` dropped")
            return
        is_call = self.tokens[last].text in (")", "}") and last > first
        if [token.text for token in self.tokens[first + 1:first + 3]] == [".", "init"]:
            return
        if is_call and not self.is_result(start, last):
            self.add("call dropped", start, last, "if !mutant(%d) { ", " }", f"`{shown}` dropped")


def mutated(text, numbered):
    """The text with all of `numbered` in it, pairs of a number and a site; and for each number
    where its stretch lies in the result."""
    events = []
    for order, (number, site) in enumerate(numbered):
        length = site.end - site.start if site.end > site.start else len(text)
        events.append((site.start, 1, -length, order, number, site.before))
        if site.behind:
            events.append((site.end, 0, length, -order, number, site.behind))
    parts, place, size = [], 0, 0
    stretches = {}
    for offset, is_start, _, _, number, inserted in sorted(events, key=lambda event: event[:4]):
        inserted = inserted.replace("%d", str(number))
        parts += [text[place:offset], inserted]
        size += offset - place
        begin = stretches.get(number, (size, size))[0]
        size += len(inserted)
        stretches[number] = (begin, size)
        place = offset
    return "".join(parts) + text[place:], stretches
