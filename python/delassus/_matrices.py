# SPDX-License-Identifier: GPL-3.0-or-later
"""Linear systems from matrices in memory."""
import ctypes as c
import itertools

from delassus._library import FlatMatrix, call

_numbers = itertools.count()


class Matrices:
    """M v' + (C + alpha M + beta K) v + K q = F + H lambda + T lambda_T, g = H^T q + w: the matrix-model
    without files.

    Matrices are scipy's sparse ones, numpy's, or lists of rows; vectors are sequences. Names are those of the
    files of matrix-model: M, K, C, HT or H, w, q0, v0, F0, T, mu, eT, ...; e, length, time, alpha and beta
    are parameters of runs.
    """

    def __init__(self, name="matrices", **matrices):
        self.name = name
        self._entries = {slot: _entries(slot, matrix) for slot, matrix in matrices.items()}
        self._number = next(_numbers)

    def __repr__(self):
        sizes = (f"{slot} {rows} x {columns}" for slot, (rows, columns, *_) in self._entries.items())
        return f"<delassus.Matrices: {self.name}, {', '.join(sizes)}>"

    def key(self):
        return f"{self.name}, {self._number}"

    def add_to(self, handle):
        made = (FlatMatrix * max(len(self._entries), 1))(
            *(
                FlatMatrix(
                    slot.encode(),
                    rows,
                    columns,
                    len(values),
                    (c.c_size_t * len(values))(*row_of),
                    (c.c_size_t * len(values))(*column_of),
                    (c.c_double * len(values))(*values),
                )
                for slot, (rows, columns, row_of, column_of, values) in self._entries.items()
            )
        )
        call("matrices", handle, self.name.encode(), len(self._entries), made)


def _entries(slot, matrix):
    """Sizes, then rows, columns and values of the entries."""
    if hasattr(matrix, "tocsc"):  # of scipy: entries of one place are added up
        table = matrix.tocsc(copy=True)
        table.sum_duplicates()
        table = table.tocoo()
        return (*table.shape, table.row.tolist(), table.col.tolist(), table.data.tolist())
    rows = [[float(x) for x in row] if hasattr(row, "__len__") else [float(row)] for row in matrix]
    if not rows or any(len(row) != len(rows[0]) for row in rows):
        raise ValueError(f"{slot}: its rows have not one length")
    places = [(i, j) for i, row in enumerate(rows) for j, x in enumerate(row) if x != 0]
    return (
        len(rows),
        len(rows[0]),
        [i for i, _ in places],
        [j for _, j in places],
        [rows[i][j] for i, j in places],
    )
