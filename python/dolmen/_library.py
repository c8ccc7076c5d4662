"""The functions of dolmen/c.h. While one runs, other threads of Python go on."""

from __future__ import annotations

import ctypes
import os
import pathlib
from ctypes import POINTER, byref, c_char_p, c_int, c_int64, c_size_t, c_uint32, c_void_p
from typing import Any, Optional

from .errors import BY_STATUS, DolmenError, InternalError

C_VERSION = 1
LIBRARY_NAME = "libdolmen.so.1"


class Options(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("durability", c_int), ("region", c_char_p)]


class StreamOptions(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("position", c_char_p), ("newest", c_int), ("wait_ms", c_int64)]


class Answer(ctypes.Structure):
    _fields_ = [("body", c_void_p), ("length", c_size_t), ("http_status", c_int)]


ON_CHANGE = ctypes.CFUNCTYPE(c_int, c_void_p, c_char_p, c_char_p)


def _load() -> Any:
    # The library of the package itself, else that of the system; DOLMEN_LIBRARY names another.
    beside = pathlib.Path(__file__).with_name(LIBRARY_NAME)
    path = os.environ.get("DOLMEN_LIBRARY") or (str(beside) if beside.exists() else LIBRARY_NAME)
    try:
        library = ctypes.CDLL(path)
    except OSError as error:
        raise ImportError(f"cannot load {path}: {error}. Build it, or name it by DOLMEN_LIBRARY") from error
    library.dolmen_c_version.restype = c_uint32
    if library.dolmen_c_version() < C_VERSION:
        raise ImportError(f"{path} has version {library.dolmen_c_version()} of its interface; this package needs {C_VERSION}")
    for name in ("version", "last_error_message", "last_error_code", "last_error_json"):
        getattr(library, f"dolmen_{name}").restype = c_char_p
    library.dolmen_open_with.argtypes = [c_char_p, POINTER(Options), POINTER(c_void_p)]
    library.dolmen_close.argtypes = [c_void_p]
    library.dolmen_fork.argtypes = [c_void_p, c_char_p, POINTER(c_void_p)]
    library.dolmen_request.argtypes = [c_void_p, c_char_p, c_char_p, c_size_t, POINTER(Answer)]
    library.dolmen_free.argtypes = [c_void_p]
    library.dolmen_free.restype = None
    library.dolmen_stream.argtypes = [c_void_p, c_char_p, POINTER(StreamOptions), ON_CHANGE, c_void_p]
    return library


_library = _load()


def library_version() -> str:
    """The version of Dolmen, such as "0.1.0"."""
    return str(_library.dolmen_version().decode())


def _last_error(status: int) -> DolmenError:
    kind = BY_STATUS[status] if 0 < status < len(BY_STATUS) else InternalError
    return kind(_library.dolmen_last_error_message().decode("utf-8", "replace"),  # type: ignore[misc]
                _library.dolmen_last_error_code().decode(), _library.dolmen_last_error_json().decode("utf-8", "replace"),
                _library.dolmen_last_error_http_status())


def _check(status: int) -> None:
    if status != 0:
        raise _last_error(status)


def _text(value: Optional[str], name: str) -> Optional[bytes]:
    if value is None:
        return None
    if "\0" in value:
        raise ValueError(f"{name} has a zero byte in it")
    return value.encode()


def open_store(address: str, durability: int, region: Optional[str]) -> int:
    handle = c_void_p()
    options = Options(ctypes.sizeof(Options), durability, _text(region, "the region"))
    _check(_library.dolmen_open_with(_text(address, "the address"), byref(options), byref(handle)))
    return int(handle.value or 0)


def close_store(handle: int) -> None:
    _check(_library.dolmen_close(handle))


def fork_store(handle: int, directory: Optional[str]) -> int:
    fork = c_void_p()
    _check(_library.dolmen_fork(handle, _text(directory, "the directory"), byref(fork)))
    return int(fork.value or 0)


def answer(handle: int, target: bytes, body: bytes) -> tuple[int, bytes]:
    """The status of HTTP and the body that a server would send, for an error too."""
    got = Answer()
    status = _library.dolmen_request(handle, target, body, len(body), byref(got))
    if got.body is None:
        raise _last_error(status)
    try:
        return got.http_status, ctypes.string_at(got.body, got.length)
    finally:
        _library.dolmen_free(got.body)


def request(handle: int, target: bytes, body: bytes) -> bytes:
    """The body of a good answer; raises for an error."""
    got = Answer()
    status = _library.dolmen_request(handle, target, body, len(body), byref(got))
    try:
        if status != 0:
            raise _last_error(status)
        return ctypes.string_at(got.body, got.length)
    finally:
        _library.dolmen_free(got.body)


def stream(handle: int, table: str, options: StreamOptions, on_change: Any) -> None:
    """Calls on_change(record, position), both bytes, until it returns something true or nothing more comes."""
    raised: list[BaseException] = []

    def take(_context: Any, record: bytes, position: bytes) -> int:
        # An exception cannot pass through C; it waits here.
        try:
            return 1 if on_change(record, position) else 0
        except BaseException as error:  # noqa: BLE001
            raised.append(error)
            return 1

    status = _library.dolmen_stream(handle, _text(table, "the table's name"), byref(options), ON_CHANGE(take), None)
    if raised:
        raise raised[0]
    _check(status)
