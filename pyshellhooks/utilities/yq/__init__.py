"""yq, xq and tomlq: jq for YAML, XML and TOML (Debian's yq 3.1; mikefarah's yq 4 manual).

The language, its limits and its errors are jq's. Each file is read as YAML 1.2 (xq: XML, tomlq: TOML), each document is a JSON
value for the filter, and the results are JSON unless another format is asked for. An option that is not below is jq's.

These names of mikefarah's program are taken as well: ``-o``, ``-p``, ``-P``, ``-I``, ``-N``, ``-i`` alone, the long options
``--inplace``, ``--colors``, ``--no-colors``, ``--unwrapScalar``, ``--tojson``, ``--prettyPrint``, ``--no-doc``, ``--expression``,
``--front-matter extract``, and the words ``e`` and ``eval``. His expressions are not: what is no jq is an error. Where both have a
name, Debian's counts: the output is JSON if nothing else is asked for, ``-j`` joins it, ``-s`` slurps, ``-f`` names a file with the
filter, ``-c`` is compact, ``-y`` and ``-t`` choose the output, ``-v`` is no option, and of XML ``@`` marks attributes and ``#text``
the text.

A hook that was written for mikefarah's program gets another answer without ``-r``: ``yq .name f.yml`` writes ``"x"`` and not ``x``,
as Debian's does. With ``-r`` both agree; and a program that is called by its path (``/usr/local/bin/yq``) is the machine's own.

``-i`` leaves a file as it is unless the status is 0. Without ``-y``, it also refuses a file of YAML with what only mikefarah's
program would keep: comments, anchors, tags, and plain words that would be written otherwise, such as ``yes`` or ``1.10``.

Beside Debian's: an option may be written in a cluster in any order; ``true`` and 1 are two keys; an XML document that declares
entities is refused, where Debian's leaves their text out; dates of TOML are strings, and arrays of several types are read; TOML has no null in an array, and XML
no array in an array, where Debian's writes Python's words.
"""
