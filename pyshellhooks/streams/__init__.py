"""Byte streams, and the descriptor table that refers to them."""

from .base import BytesReader, NullStream, Stream
from .capture import Capture, LineWriter
from .fds import FdTable
from .pipe import MemoryPipe

__all__ = ["BytesReader", "Capture", "FdTable", "LineWriter", "MemoryPipe", "NullStream", "Stream"]
