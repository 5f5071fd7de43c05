"""cksum, sum, md5sum, sha*sum, b2sum and shasum: sums of files, and checking them (GNU coreutils 9.1; Digest::SHA 6.02)."""
