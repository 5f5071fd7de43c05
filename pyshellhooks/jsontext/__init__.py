"""JSON and YAML as texts: documents with places, compact bytes, large values in chunks, and errors with a hint."""
