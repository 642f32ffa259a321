"""Prints the SHA-256 and the name of each file of an archive."""

import hashlib
import sys
import zipfile

with zipfile.ZipFile(sys.argv[1]) as archive:
    for name in archive.namelist():
        print(hashlib.sha256(archive.read(name)).hexdigest(), name)
