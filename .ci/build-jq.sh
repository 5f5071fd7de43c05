#!/bin/sh
# Build the real jq that the differential tests compare with, from PyPI only: the sdist of the `jq` binding
# carries the release tarball of the very jq that the binding embeds (with its oniguruma).
#
#   JQ_PREFIX   where to install it    (default /opt/jq182)
#   PYTHON      whose pip to use       (default python3)
set -eu

prefix=${JQ_PREFIX:-/opt/jq182}
python=${PYTHON:-python3}
binding=1.13.0
version=1.8.2

if [ -x "$prefix/bin/jq" ] && [ "$("$prefix/bin/jq" --version)" = "jq-$version" ]; then
    echo "$prefix/bin/jq is jq $version already"
    exit 0
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

"$python" -m pip download --quiet --no-deps --no-binary jq "jq==$binding"
tar xzf "jq-$binding.tar.gz"
tar xzf "jq-$binding/deps/jq-$version.tar.gz"
cd "jq-$version"

./configure --quiet --prefix="$prefix" --with-oniguruma=builtin --disable-docs --disable-maintainer-mode \
    --disable-shared --enable-static CFLAGS="-O2 -fPIC" >"$work/log" 2>&1 || { tail -50 "$work/log" >&2; exit 1; }
make -j2 >>"$work/log" 2>&1 || { tail -50 "$work/log" >&2; exit 1; }
make install >>"$work/log" 2>&1 || { tail -50 "$work/log" >&2; exit 1; }
# Where the tests of jq itself are wanted too.
mkdir -p "$prefix/share/jq-tests"
cp -R tests/. "$prefix/share/jq-tests/"
"$prefix/bin/jq" --version
