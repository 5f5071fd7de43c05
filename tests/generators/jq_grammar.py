"""The grammar of jq 1.8.2, in bison's terms. ``jq_tables`` makes the parser's tables from it.

A symbol in lower case is a nonterminal, ``error`` the place where the parser goes on after a mistake. ``=>`` names the
method of ``syntax.Builder`` that makes the value; without one the value of the first symbol stands. ``@`` gives a rule
the precedence of another symbol than its last token.
"""

from __future__ import annotations

# In the order in which a message names them. Operators and keywords are their own names.
TOKENS: tuple[str, ...] = (
    "EOF",
    "error",
    *"INVALID_CHARACTER IDENT FIELD BINDING LITERAL FORMAT .. %= == != // as def module import include if then".split(),
    *"else elif reduce foreach end and or try catch label break $__loc__ |= += -= *= /= //= <= >= ?//".split(),
    *"QQSTRING_START QQSTRING_TEXT QQSTRING_INTERP_START QQSTRING_INTERP_END QQSTRING_END".split(),
    *"| , = < > + - * / % ? . [ ; : ( ) ] { } $".split(),
)

# Loosest first, with the side to which equals group. DEFINITION and PLAIN are no words; rules borrow their places.
PRECEDENCE = (
    ("", "DEFINITION"),
    ("right", "|"),
    ("left", ","),
    ("right", "//"),
    ("none", "= |= += -= *= /= %= //="),
    ("left", "or"),
    ("left", "and"),
    ("none", "!= == < > <= >="),
    ("left", "+ -"),
    ("left", "* / %"),
    ("", "PLAIN"),
    ("", "? . [ FIELD"),
    ("", "try"),
    ("", "catch"),
)

GRAMMAR = """
program
    header dependencies query => main
    header dependencies definitions => library
header
    => no_header
    module query ; => header
dependencies
    => none
    dependency dependencies => cons
definitions
    => none
    definition definitions => cons

query
    definition query => define @DEFINITION
    expression as patterns | query => bind
    label BINDING | query => label
    query | query => pipe
    query , query => comma
    expression

expression
    expression // expression => binary
    expression = expression => binary
    expression or expression => binary
    expression and expression => binary
    expression //= expression => binary
    expression |= expression => binary
    expression + expression => binary
    expression += expression => binary
    expression - expression => binary
    expression -= expression => binary
    expression * expression => binary
    expression *= expression => binary
    expression / expression => binary
    expression % expression => binary
    expression /= expression => binary
    expression %= expression => binary
    expression == expression => binary
    expression != expression => binary
    expression < expression => binary
    expression > expression => binary
    expression <= expression => binary
    expression >= expression => binary
    term @PLAIN

dependency
    named ;
    named query ; => dependency_meta
named
    import path as BINDING => import_data
    import path as IDENT => import_module
    include path => include
path
    string => path

definition
    def IDENT : query ; => definition
    def IDENT ( parameters ) : query ; => function
parameters
    parameter => one
    parameters ; parameter => more
parameter
    BINDING => word
    IDENT => word

string_start
    FORMAT QQSTRING_START => string_format
    QQSTRING_START => string_plain
string
    string_start string_parts QQSTRING_END => string
string_parts
    => none
    string_parts QQSTRING_TEXT => string_text
    string_parts QQSTRING_INTERP_START query QQSTRING_INTERP_END => string_query

otherwise
    elif query then query otherwise => condition
    else query end => second
    end => no_else

term
    . => identity
    .. => recurse
    break BINDING => break_
    break error => break_mistake
    term FIELD ? => field_try
    FIELD ? => own_field_try
    term . string ? => index_try
    . string ? => own_string_try
    term FIELD => field @PLAIN
    FIELD => own_field @PLAIN
    term . string => index @PLAIN
    . string => own_string @PLAIN
    . error => dot_mistake
    . IDENT error => dot_mistake
    term [ query ] ? => index_try
    term [ query ] => index @PLAIN
    term . [ query ] ? => dot_index_try
    term . [ query ] => dot_index @PLAIN
    term [ ] ? => each_try
    term [ ] => each @PLAIN
    term . [ ] ? => each_try
    term . [ ] => each @PLAIN
    term [ query : query ] ? => slice_try
    term [ query : ] ? => slice_from_try
    term [ : query ] ? => slice_to_try
    term [ query : query ] => slice @PLAIN
    term [ query : ] => slice_from @PLAIN
    term [ : query ] => slice_to @PLAIN
    term ? => attempt
    LITERAL => number
    string
    FORMAT => format
    - term => negate
    ( query ) => second
    [ query ] => array
    [ ] => empty_array
    { pairs } => object
    reduce expression as patterns ( query ; query ) => reduce
    foreach expression as patterns ( query ; query ; query ) => foreach
    foreach expression as patterns ( query ; query ) => foreach
    if query then query otherwise => condition
    if query then error => if_mistake
    try expression catch expression => try_catch
    try expression catch error => try_mistake
    try expression => try_
    $ $ $ BINDING => taken_variable
    BINDING => variable
    $__loc__ => location
    IDENT => name
    IDENT ( arguments ) => call
    ( error ) => skipped
    [ error ] => skipped
    term [ error ]
    { error } => skipped
arguments
    argument => one
    arguments ; argument => more
argument
    query

alternatives
    alternatives ?// pattern => more
    pattern => one
patterns
    alternatives ?// pattern => last_pattern
    pattern => single
pattern
    BINDING => variable_pattern
    [ elements ] => array_pattern
    { entries } => object_pattern
elements
    pattern => one
    elements , pattern => more
entries
    entry => one
    entries , entry => more
entry
    BINDING => variable_entry
    BINDING : pattern => variable_pattern_entry
    IDENT : pattern => word_entry
    keyword : pattern => word_entry
    string : pattern => entry
    ( query ) : pattern => query_entry
    error : pattern => entry_mistake

keyword
    as => word
    def => word
    module => word
    import => word
    include => word
    if => word
    then => word
    else => word
    elif => word
    reduce => word
    foreach => word
    end => word
    and => word
    or => word
    try => word
    catch => word
    label => word
    break => word

pairs
    => none
    pair => one
    pair , pairs => cons
pair
    IDENT : pair_value => word_pair
    keyword : pair_value => word_pair
    string : pair_value => pair
    string => string_pair
    BINDING : pair_value => variable_key_pair
    BINDING => variable_pair
    IDENT => short_pair
    $__loc__ => location_pair
    keyword => short_pair
    ( query ) : pair_value => query_pair
    error : pair_value => pair_mistake
pair_value
    pair_value | pair_value => pipe
    expression
"""
