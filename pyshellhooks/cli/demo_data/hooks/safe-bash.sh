#!/usr/bin/env bash
# Commands that only read go ahead without a question.

case "$CRUSH_TOOL_INPUT_COMMAND" in
  *[';&|<>$`']*) ;; # could hide a second command
  pwd | ls | ls\ * | "git status"* | "git log"* | "git diff"*) echo '{"decision": "allow"}' ;;
esac
