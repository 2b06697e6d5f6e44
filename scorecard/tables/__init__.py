"""Tables of cases: reading and writing files, answering a list's questions row by row.

Every complaint names file, column and row. This room alone uses polars.
"""
