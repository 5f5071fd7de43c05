#!/usr/bin/env bash
# Deny a recursive delete that starts at the root; have no opinion on anything else.

if printf '%s\n' "$CRUSH_TOOL_INPUT_COMMAND" | grep -qE '(^|[;&| ])rm +-(rf|fr) +/'; then
  echo "no recursive delete at the root" >&2
  exit 2
fi
