"""Oniguruma's error messages for patterns that do not compile."""

from __future__ import annotations

from ....patterns.tree import PatternError

_MOST_NAME = 27  # bytes of a name in a message


class OnigError(PatternError):
    """A pattern that does not compile, with Oniguruma's message, in which ``name`` replaces ``%``."""

    def __init__(self, words: str, name: str = "") -> None:
        shown = name.encode("utf-8", "surrogatepass")
        if len(shown) > _MOST_NAME:
            name = shown[:_MOST_NAME].decode("utf-8", "replace") + "..."
        super().__init__(words.replace("%", name))


CHAR_CLASS_END = "premature end of char-class"
EMPTY_CLASS = "empty char-class"
EMPTY_NAME = "group name is empty"
EMPTY_RANGE = "empty range in char class"
END_AT_CONTROL = "end pattern at control"
END_AT_ESCAPE = "end pattern at escape"
END_IN_GROUP = "end pattern in group"
INVALID_BACK = "invalid backref number/name"
INVALID_CALLOUT = "invalid callout pattern"
INVALID_CODE = "invalid code point value"
INVALID_CONDITION = "invalid if-else syntax"
INVALID_LOOK_BEHIND = "invalid pattern in look-behind"
INVALID_NAME = "invalid group name <%>"
INVALID_NAME_CHAR = "invalid char in group name <%>"
INVALID_POSIX = "invalid POSIX bracket type"
INVALID_PROPERTY = "invalid character property name {%}"
INVALID_TARGET = "target of repeat operator is invalid"
MANY_OF_NAME = "multiplex definition name <%> call"
NEVER_ENDING = "never ending recursion"
NO_TARGET = "target of repeat operator is not specified"
RANGE_ENDS_IN_CLASS = "char-class value at end of range"
SHORT_STRING = "too short multibyte code string"
TOO_BIG = "too big number"
TOO_BIG_REPEAT = "too big number for repeat range"
TOO_LONG_CODE = "too long wide-char value"
UNDEFINED = "undefined error code"
UNDEFINED_CALLOUT = "undefined callout name"
UNDEFINED_GROUP = "undefined group <%> reference"
UNDEFINED_NAME = "undefined name <%> reference"
UNDEFINED_OPTION = "undefined group option"
UNMATCHED_CLOSE = "unmatched close parenthesis"
UNMATCHED_OPEN = "end pattern with unmatched parenthesis"
UPPER_SMALLER = "upper is smaller than lower in repeat range"
