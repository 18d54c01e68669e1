# SPDX-License-Identifier: GPL-3.0-or-later
"""The version is that of the library."""
from delassus._library import library

__version__ = library.dls_flat_release().decode()
