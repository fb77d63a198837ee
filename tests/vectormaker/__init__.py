"""What makes `vectors/v1`: files for verifiers in any language, made from seeds, so that the same bytes come each time.

`tests/make_vectors.py` writes them; `files.groups` has them as functions, a group of files each.
"""
