"""Matches, deals and decisions as tables in Parquet files: what `farfalia export` writes.

Begin with `columns`, which says what each table has. `rows` makes them from a record, `sources` finds the records on a
server or in a folder, and `parquet` writes the files; it alone imports PyArrow.
"""
