"""cksum, sum, md5sum, sha*sum, b2sum and shasum: compute and check checksums (GNU coreutils 9.1; Digest::SHA 6.02)."""
