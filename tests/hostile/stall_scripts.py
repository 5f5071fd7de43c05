"""What the shell itself is given by the table of stalls: builtins, expansions, operators, words and redirections.

``{w}``, ``{i}`` and ``{n}`` stand for a word, an input and a number that never ends, as in ``stall_cells``; ``{u}``, in BUILTINS, is
the builtin. ``# MANY``: 100,000 variables are there.
"""

from __future__ import annotations

_READ = (
    "{u} x < {i}",
    "{u} -r x y < {i}",
    "{u} -d q x < {i}",
    "{u} -N 1000000000 x < {i}",
    "{u} -a x < {i}",
    "{u} -u 3 x 3< {i}",
    "{u} -t 100 x < {i}",
)
_DECLARE = (
    "{u} -i k={n}",
    "{u} 'a[{n}]=1'",
    "{u} {w}",
    "{u} x={w}",
    "{u} -a x=({w})",
    "{u} -A x=([{w}]=1)",
    "{u} -p {w}",
    "{u} -n r={w}; r=1",
)
_SHELL = ("{u} {i}", "{u} < {i}", "{u} -c {w}", "{u} -o {w}", "{u} <<< {w}", "{u} -c : {w}")
_TEST = (
    "{u} {w} -gt 1 {e}",
    "{u} {w} = {w} {e}",
    "{u} -v 'a[{n}]' {e}",
    "{u} -f {w} {e}",
    "{u} ! ! ! {w} {e}",
    "{u} {w} {e}",
    "{u} -t {w} {e}",
    "{u} $(printf '1 -o %.0s' {1..300000}) 1 {e}",
)
_WORD = ("{u} {w}",)

BUILTINS: dict[str, tuple[str, ...]] = {
    ".": ("{u} {i}", "{u} {w}", "{u} /dev/null {w}"),
    ":": _WORD,
    "[": tuple(row.replace("{e}", "]") for row in _TEST),
    "alias": ("{u} x={w}; {u} x", "{u} {w}=x", "shopt -s expand_aliases; {u} x='x x '\nx", "{u} {w}", "for i in {1..20}; do {u} a$i=$LONG; done; {u}", "{u} $(printf 'v%d=1 ' {1..300000})"),
    "bash": _SHELL,
    "bg": ("{u} {w}", "{u} %{w}"),
    "break": ("for x in 1; do {u} {w}; done",),
    "builtin": ("{u} {w}", "{u} echo {w}"),
    "caller": _WORD,
    "cd": ("{u} {w}", "CDPATH={w} {u} x", "{u} ./{w}"),
    "command": ("{u} {w}", "{u} -v {w}", "{u} -V {w}", "{u} echo {w}"),
    "continue": ("for x in 1; do {u} {w}; done",),
    "dash": _SHELL[:3],
    "declare": (*_DECLARE, "{u} -p # MANY", "{u} -f # MANY", "{u} # MANY", "for i in {1..20}; do eval \"v$i=\\$LONG\"; done; {u} -p"),
    "dirs": ("{u} {w}", "{u} +{w}"),
    "disown": _WORD,
    "echo": ("{u} {w}", "{u} -e {w}", "shopt -s xpg_echo; {u} {w}"),
    "enable": ("{u} {w}", "{u} -n {w}"),
    "eval": ("{u} {w}", "{u} : {w}", "{u} \": '\"{w}\"'\"", "{u} 'x='{w}", "{u} \"echo $\"{w}", "{u} ': $(('{w}'))'"),
    "exec": ("{u} {w}", "{u} < {i}", "{u} -a {w} true"),
    "exit": _WORD,
    "export": ("{u} {w}", "{u} x={w}", "{u} -p # MANY", "{u} 'a[{n}]=1'"),
    "false": _WORD,
    "fg": ("{u} {w}", "{u} %{w}"),
    "getopts": ("{u} {w} x -a", "{u} ab: x {w}", "OPTIND={w}; {u} a x -a", "OPTIND={n}; {u} a x -a", "{u} a 'y[{n}]' -a"),
    "hash": ("{u} {w}", "{u} -p {w} x"),
    "jobs": ("{u} {w}", "{u} -x echo {w}"),
    "kill": ("{u} {w}", "{u} -{w} 1", "{u} -l {w}", "{u} %{w}"),
    "let": ("{u} {n}", "{u} x={w}", "{u} {w}", "{u} 'x=x+'{1..300000}"),
    "local": tuple("f() { " + row + "; }; f" for row in _DECLARE),
    "mapfile": ("{u} x < {i}", "{u} -t x < {i}", "{u} -d q x < {i}", "{u} -s 100000000 x < {i}", "{u} -n {w} x < /dev/null", "{u} -O {w} x <<< a", "{u} -C : -c 1 x < {i}", "{u} x <<< {w}"),
    "popd": ("{u} {w}", "{u} +{w}"),
    "printf": (
        "{u} %s {w}", "{u} %q {w}", "{u} %b {w}", "{u} %c {w}", "{u} %d {w}", "{u} %x {w}", "{u} %f {w}", "{u} %e {w}", "{u} %g {w}", "{u} %a {w}", "{u} {w} a", "{u} -v x %s {w}", "{u} -v 'a[{n}]' x",
        "{u} %*d {w} 1", "{u} %.*f {w} 1", "{u} %{w}d 1", "{u} '%({w})T'", "{u} '%(%Y)T' {w}", "{u} %.10000000f 1", "{u} %1000000000d 1", "{u} '%.1000000s\\n' {w}", "{u} %.16000000d 1", "{u} %.15000000e 1.5",
    ),
    "pushd": ("{u} {w}", "{u} +{w}"),
    "pwd": _WORD,
    "read": (*_READ, "{u} -n {w} x < /dev/null", "{u} -t {w} x < /dev/null", "{u} -u {w} x", "{u} {w} <<< a", "{u} 'a[{n}]' <<< a", "{u} x <<< {w}", "{u} -a x <<< {w}", "{u} x y <<< {w}", "IFS=a {u} x y <<< {w}", "IFS=a {u} -a x <<< {w}", "IFS={w} {u} x y <<< 'a b'", "{u} -n 10000000 x <<< {w}", "{u} -d {w} x < /dev/null"),
    "readarray": ("{u} x < {i}", "{u} -C : -c 1 x < {i}"),
    "readonly": ("{u} {w}", "{u} x={w}", "{u} -p # MANY", "{u} 'a[{n}]=1'"),
    "return": ("f() { {u} {w}; }; f",),
    "set": ("for i in {1..20}; do eval \"v$i=\\$LONG\"; done; {u}", "{u} -- {w}", "{u} {w}", "{u} -o {w}", "{u} # MANY", "{u} -{w}"),
    "sh": _SHELL,
    "shift": ("{u} {w}", "set -- {w}; while (($#)); do {u}; done"),
    "shopt": ("{u} {w}", "{u} -s {w}"),
    "source": ("{u} {i}", "{u} {w}"),
    "test": tuple(row.replace("{e}", "") for row in _TEST),
    "times": _WORD,
    "trap": ("{u} {w} EXIT", "{u} : {w}", "{u} {w} DEBUG; :", "for i in {1..64}; do {u} \"$LONG\" $i; done; {u}"),
    "true": _WORD,
    "type": ("{u} {w}", "{u} -a {w}"),
    "typeset": ("{u} -i k={n}", "{u} -p # MANY", "{u} {w}"),
    "ulimit": ("{u} {w}", "{u} -n {w}"),
    "umask": ("{u} {w}", "{u} -S {w}"),
    "unalias": _WORD,
    "unset": ("{u} {w}", "a=(1); {u} 'a[{n}]'", "{u} ${!v*} # MANY", "{u} -f {w}", "a=({w}); {u} 'a[3]'"),
    "wait": ("{u} {w}", "{u} %{w}", "{u} -n {w}", "{u} -p {w}"),
}  # fmt: skip

# An expression whose evaluation doubles at each level: {n} below.
ARITHMETIC = (
    "(( {n} ))", ": $(( {n} ))", ": $[ {n} ]", "[[ {n} -gt 6 ]]", "[[ 1 -lt {n} ]]", "[[ -v a[{n}] ]]", "a[{n}]=1", "a=(1); : ${a[{n}]}", "a=([{n}]=1)", "a+=([{n}]=1)", "x=abc; : ${x:{n}}", "x=abc; : ${x:0:{n}}",
    "a=(1 2); : ${a[@]:{n}}", "a=(1 2); : ${a[@]:0:{n}}", ": ${@:{n}}", "for (( i = {n}; ; )); do :; done", "for (( ; {n}; )); do :; done", "for (( ; ; {n} )); do :; done", "(( a[{n}]++ ))", "(( a[{n}] = 1 ))", ": $(( a[{n}] ))", "x='a[{n}]'; : ${!x}",
    "declare -n r='a[{n}]'; r=1", "declare -i i; i={n}", "declare -i i; i+={n}", "declare -i i; for i in {n}; do :; done", "declare -ia b; b=({n})", "declare -ia b; b[0]={n}", "cat <<< $(( {n} ))", "cat <<E\n$(( {n} ))\nE", ": ${y:=$(( {n} ))}", "case $(( {n} )) in x) ;; esac", "echo x > $(( {n} ))",
    "echo {a,$(( {n} ))}", "while (( {n} )); do :; done", "until (( {n} )); do :; done", "if (( {n} )); then :; fi", "x=$(( {n} )) :", "PS4='$(( {n} ))'; set -x; :", "x='$(( {n} ))'; : ${x@P}", ": $(( {n} ? 1 : 2 ))", ": $(( 1 && {n} ))", ": $(( x = {n} ))", ": $(( x += {n} ))",
    "(( {w} ))", ": $(( {w} + 1 ))", "x={w}; (( x ))", "x={w}; : $(( x * x ))", "[[ {w} -eq 1 ]]", "a[{w}]=1", "x=abc; : ${x:{w}}", "declare -i i; i={w}", "(( x = 1{w} ))", "x=$(printf '1+%.0s' {1..300000})1; (( x ))", "x=$(printf '(%.0s' {1..300000}); (( x ))", "x=$(printf 'a[%.0s' {1..100000}); (( x ))",
    "x=$(printf '1?%.0s' {1..100000})1; (( x ))", "x=$(printf '1,%.0s' {1..300000})1; (( x ))", "x=$(printf 'y=%.0s' {1..100000})1; (( x ))", "x=$(printf '2**%.0s' {1..100000})1; (( x ))", "x=36#{w}; (( x ))", "x=0x{w}; (( x ))", "for (( i = 0; i < 1000000000; i++ )); do :; done",
    "x=$(printf 'y++,%.0s' {1..300000})1; (( x ))", "x=$(printf '1+%.0s' {1..1000000})1/0; (( x ))", ": $(($DIGITS#1))", "eval \"(( $(printf '$((1))+%.0s' {1..300000})1 ))\"", "eval \"(( $(printf '\"1\"+%.0s' {1..300000})1 ))\"", "eval \": \\$(( $(printf '$y+%.0s' {1..300000})1 ))\"",
)  # fmt: skip

PARAMETERS = (
    ": ${#x}", ": ${x/a/b}", ": ${x//a/bb}", ": ${x//?/b}", ": ${x//+([0-9])/b}", ": ${x/#a*/b}", ": ${x/%*b/c}", ": ${x#*b}", ": ${x##*b}", ": ${x%b*}", ": ${x%%b*}", ": ${x##*([a])b}", ": ${x#a}", ": ${x^^}", ": ${x,,}", ": ${x^}", ": ${x~~}", ": ${x^^[b]}",
    ": ${x@Q}", ": ${x@E}", ": ${x@P}", ": ${x@A}", ": ${x@U}", ": ${x@u}", ": ${x@L}", ": ${x@a}", ": ${x@K}", ": ${x:500000:10}", ": ${x: -5}", ": ${x:-a}", ": ${z:-$x}", ": ${z:=$x}", ": ${!x}", "x+=$x", "x=$x$x$x$x", ": ${x%%$x}", ": ${x//$x/a}", ": ${x/a/$x}",
    ": $x", ": \"$x\"", "set -- $x", "a=($x)", "a=($x); : \"${a[*]}\"", "a=($x); : \"${a[@]/a/b}\"", "a=($x); : \"${a[@]#a}\"", "a=($x); : \"${a[@]@Q}\"", "a=($x); : ${#a[@]} ${!a[@]}", "a=($x); a=(\"${a[@]}\" b)", "a=($x); a+=(\"${a[@]}\")", "a=($x); : \"${a[@]:5:9}\"", "a=($x); : ${a[@]@A} ", "a=($x); for y in \"${a[@]}\"; do :; done",
    "a=($x); : ${a[-1]}", "a=($x); while ((${#a[@]})); do a=(\"${a[@]:1}\"); done", "set -- $x; : \"$*\" \"$@\" $#", "set -- $x; : ${*//a/b}", "set -- $x; f() { :; }; f \"$@\"", "declare -A h; h[$x]=1; : ${h[$x]} ${!h[@]}", "declare -A h; h[$x]=1 h[b]=2; : ${!h[@]}", "IFS=$x; for y in $FIELDS; do :; done", "for y in $x; do :; done", "IFS=a; : $x", "IFS=$x; : $x", "IFS=$x; set -- a b; : \"$*\"", "$x", "$x=1", "x=($x) y",
    "f() { :; }; f $x", "y=$(echo \"$x\")", "y=$(echo \"$x\" | cat)", "y=`echo \"$x\"`", "y=$(printf '%s\\n' $x)", ": ${v1} ${!v*} # MANY", "for y in ${!v*}; do :; done # MANY", "( : ); $( : ); : | : # MANY", "f() { local v5=1; ( v6=$x ); }; f", "for i in {1..300}; do ( : ); done # MANY", "x=$x true", "env | true # MANY", ": $'a'$x", "eval \"f$x() { :; }\"", "time : $x",
    "! : $x", "{ : $x; } 2>&1", "coproc : $x", ": $x &", "select y in $x; do break; done <<< 1", "trap \": $x\" DEBUG; :", "set -x; : $x", "set -v; eval ': '$x",
)  # fmt: skip

PATTERNS = (
    "[[ $x == *b ]]", "[[ $x == $x ]]", "[[ $x == \"$x\" ]]", "[[ a == $x ]]", "[[ $x == *a*a*a*a*b ]]", "[[ $x == +(a|aa)b ]]", "[[ $x == !(*b*) ]]", "[[ $x == @(*a|*aa)*b ]]", "[[ $x =~ a*b ]]", "[[ $x =~ ^(a|aa)+$ ]]", "[[ $x =~ ^(.*)(.*)b\\1 ]]", "[[ a =~ $x ]]", "[[ $x =~ $x ]]", "[[ $x < $x ]]", "[[ -n $x && -z $x ]]",
    "[[ -f $x ]]", "[[ $x -nt $x ]]", "case $x in *b) ;; esac", "case $x in $x) ;; esac", "case a in $x) ;; esac", "case $x in *a*a*a*b|+(a)b) ;; *) ;; esac", "shopt -s nocasematch; [[ $x == *B* ]]", ": *$x", ": $x*", ": /*/$x*", "shopt -s globstar; : /**/*$x", "shopt -s extglob; : @($x|b)", "GLOBIGNORE=$x; : *",
    "[[ aaaaaaaaaaaaaaaaaaaa == $(printf '*a%.0s' {1..100000}) ]]", "[[ a == $(printf '[a%.0s' {1..300000}) ]]", "[[ a == $(printf '@(%.0s' {1..3000}) ]]", "[[ $x == [[:alpha:]]*[!a] ]]",
)  # fmt: skip

WORDS = (
    ": {1..1000000000}", ": {1..1000000}", ": {1..1000}{1..1000}{1..1000}", ": {a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}", "for x in {1..1000000000}; do :; done",
    "eval \": {1..$DIGITS}\"", "eval \": {a..z..$DIGITS}\"", "eval \": {01..$DIGITS}\"", "eval \": $(printf '{a,%.0s' {1..100000})\"", "eval \": $(printf '{%.0s' {1..300000})\"", "eval \": $(printf 'a,%.0s' {1..300000})\"", "eval \": {$(printf 'a,%.0s' {1..300000})}\"", "eval \": $(printf '$x%.0s' {1..100000})\"", "eval \": $(printf '$x %.0s' {1..100000})\"", "eval \": $(printf '\"$x\"a %.0s' {1..100000})\"", "eval \"a=($(printf '$x %.0s' {1..100000}))\"", "eval \"$(printf ':;%.0s' {1..300000})\"",
    "eval \": $(printf \"'a'\\\"b\\\"%.0s\" {1..200000})\"", "eval \"$(printf 'x=1 %.0s' {1..300000})\"", "eval \"$(printf '>a %.0s' {1..100000})\"", "eval \"case x in $(printf 'a|%.0s' {1..300000})b) ;; esac\"", "eval \"[[ $(printf 'a || %.0s' {1..100000}) b ]]\"", "eval \"$(printf 'true && %.0s' {1..100000}) :\"", "eval \"$(printf ': | %.0s' {1..100000}) :\"",
    "eval \"$(printf 'if :; then %.0s' {1..100000})\"", "eval \"$(printf '{ %.0s' {1..100000})\"", "eval \"a=($(printf 'x %.0s' {1..300000}))\"", "eval \"$(printf '#%.0s' {1..3000000})\"", "eval \"$(printf '\\\\\\n%.0s' {1..300000})\"", "eval \"cat <<E\n$(printf 'a%.0s' {1..3000000})\nE\"", "eval \"$(printf 'cat <<E%d\n' {1..3000})\"", "eval \"f() { $(printf ':;%.0s' {1..300000}) }\"", "eval \": $DIGITS>f\"", "eval \": >&$DIGITS\"", "eval \": <&$DIGITS\"", "eval \": {x}>f$DIGITS\"",
    "eval \"$(printf '\\n%.0s' {1..3000000})\"", "eval \"$(printf ': &\\n%.0s' {1..300000})\"", "eval \"a=($(printf '\\n%.0s' {1..3000000}))\"", "eval \"for x in $(printf 'a %.0s' {1..1000000}); do :; done\"", "eval \": \\$'$(printf '\\\\u4141%.0s' {1..1000000})'\"", "eval \"x=$(printf '~:%.0s' {1..3000000})\"", "eval \"cat <<E\n$LINES\nE\"", "eval \"cat <<'E'\n$LINES\nE\"", "eval \"cat <<E\n$(printf '\\\\\\\\%.0s' {1..3000000})\nE\"",
    "eval \"for x in {a,b}$LONG{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}; do :; done\"", "eval \": {1..900}$LONG\"", "eval \"export x={1..900}$LONG\"", "eval \": {a,b}$LONG\\$y{c,d}\"", "eval \": $(printf '{a,b}%.0s' {1..1000})\"", "eval \": $(printf '{a}%.0s' {1..300000})\"", "r=$(printf '[ab]%.0s' {1..5000})c; [[ $LONG =~ $r ]]", "r=$(printf '(a|b)%.0s' {1..900})c; [[ $LONG =~ $r ]]", "eval \": {$(printf '$x,%.0s' {1..300000})}\"", "eval \": {a,b}$(printf '}%.0s' {1..3000000})\"",
    ": ~$x", "x=~$x", ": \"${x}\"{,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,}", "shopt -s extglob; eval \": $(printf '@(%.0s' {1..100000})\"",
)  # fmt: skip

REDIRECTIONS = (
    ": > $x", ": < $x", ": >> $x", ": >& $x", ": 2>&1 <> $x", ": <<< $x", "cat <<< $x", "cat <<E\n$x$x\nE", "cat <<'E'\n$x\nE", "exec {fd}<<< $x; cat <&$fd", "read y <<< $x", "y=$(< {i})", "y=$(cat {i})", "y=$(cat < {i})", "cat < {i} | cat", "cat <(cat {i})", "cat {i} > >(cat)", "cat {i} > copy", "cat {i} | tee copy | cat", "{ read -N 10 y; cat; } < {i}",
    "echo foo > g; cat < g >> g", "echo foo > g; cat g >> g", "echo foo > g; while read -r y; do echo $y; done < g >> g", "echo a > g; while read -r y; do echo $y >> g; done < g", "exec 3<> g; echo a >&3; cat < g >&3", "while :; do : > f$((k++)); done", "exec 3< {i}; while read -u 3 -r -n 1 y; do :; done", "while IFS= read -r y; do :; done < {i}", "while read -r -n 100 y; do :; done < {i}",
    "select y in a b; do :; done < {i}", "for (( ; ; )); do read -r y; done < {i}", "cat {i} | while read -r y; do :; done", "cat {i} | { read -r y; echo $y; }", "cat {i} | tr -d '\\n' | read y", "cat {i} | head -c 1000000000 | wc -c", "cat {i} | mapfile y", "cat {i} & wait", "coproc cat {i}; cat <&${COPROC[0]}", "( cat {i} )", "cat {i} | (exec 3<&0; cat <&3)", "y=$(cat {i} | base64)", "bash -c 'read y' < {i}",
)  # fmt: skip
