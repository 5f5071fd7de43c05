#!/usr/bin/env bash
# Tell the model about formatting when it touches Go.

if [[ "$CRUSH_TOOL_INPUT_FILE_PATH" == *.go ]]; then
  echo '{"context": "format with gofumpt when you are done"}'
fi
