"""Static analysis of shell scripts: the commands, programs and parts of bash that a text would use. Pure, on ``syntax``."""
