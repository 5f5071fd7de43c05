"""yq, xq and tomlq: jq for YAML, XML and TOML (Debian's yq 3.1; mikefarah's yq 4 manual).

The language, its limits and its errors are jq's. Each file is parsed as YAML 1.2 (xq: XML, tomlq: TOML), each document
is a JSON value for the filter, and the results are JSON unless an option selects another format. Options that are not
listed below are jq's.

These names of mikefarah's program are accepted as well: ``-o``, ``-p``, ``-P``, ``-I``, ``-N``, ``-i`` alone, the long
options ``--inplace``, ``--colors``, ``--no-colors``, ``--unwrapScalar``, ``--tojson``, ``--prettyPrint``, ``--no-doc``,
``--expression``, ``--front-matter extract``, and the words ``e`` and ``eval``. His expressions are not: a filter that
is not jq is an error. If both programs have an option, Debian's meaning counts: the default output is JSON, ``-j``
joins it, ``-s`` slurps, ``-f`` names a file with the filter, ``-c`` is compact, ``-y`` and ``-t`` choose the output,
``-v`` is not an option, and in XML ``@`` marks attributes and ``#text`` the text.

A hook that was written for mikefarah's program gets different output without ``-r``: ``yq .name f.yml`` writes ``"x"``
and not ``x``, as Debian's does. With ``-r`` both agree; and a program that is called by its path
(``/usr/local/bin/yq``) is the host's.

``-i`` changes a file only if the status is 0. Without ``-y``, it also refuses a YAML file with contents that only
mikefarah's program would preserve: comments, anchors, tags, and plain words that would be written differently, such as
``yes`` or ``1.10``.

Differences from Debian's: the options of a cluster may have any order; ``true`` and 1 are two keys; an XML document
that declares entities is refused, whereas Debian's drops their text; TOML dates are strings, and arrays of several
types are accepted; null in a TOML array, and an array in an array in XML, are errors, whereas Debian's writes Python's
words.
"""
