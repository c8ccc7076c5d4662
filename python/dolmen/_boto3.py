"""Clients of boto3 whose calls go to a store in this process. botocore makes the request and reads the answer as it
always does; only the sending is replaced."""

from __future__ import annotations

import io
import os
import uuid
from typing import TYPE_CHECKING, Any, Union

if TYPE_CHECKING:
    from .store import Store

#: Nobody resolves this name: requests are answered before they are sent.
ENDPOINT = "http://dolmen.invalid"
SERVICES = ("dynamodb", "dynamodbstreams")


def boto3_client(address: Union[str, os.PathLike[str]], service: str = "dynamodb", **options: Any) -> Any:
    """A client of boto3 for the store at an address: no server, no port.

        ddb = dolmen.boto3_client("./data")
        ddb.list_tables()
        ddb.close()

    The store is open until the client is closed, or the program ends. `Store.boto3_client` shares a store among clients.
    """
    from .store import open as open_store
    store = open_store(address)
    client = client_of(store, service, options)
    close = client.close

    def close_both() -> None:
        close()
        store.close()

    client.close = close_both
    return client


class _Sender:
    """Answers the requests of a client from a store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def __call__(self, request: Any, **_: Any) -> Any:
        from botocore.awsrequest import AWSResponse
        target = request.headers["X-Amz-Target"]
        body = request.body or b""
        status, answer = self._store.answer(target.decode() if isinstance(target, bytes) else target,
                                            body if isinstance(body, bytes) else body.encode())
        headers = {"Content-Type": "application/x-amz-json-1.0", "Content-Length": str(len(answer)),
                   "x-amzn-RequestId": uuid.uuid4().hex.upper()}
        return AWSResponse(request.url, status, headers, _Raw(answer))


class _Raw(io.BytesIO):
    """What botocore expects of urllib3's response."""

    def stream(self, *_: Any, **__: Any) -> Any:
        yield self.getvalue()


def _settings(store: Store, options: dict[str, Any]) -> dict[str, Any]:
    import botocore
    from botocore.config import Config
    refused = {"endpoint_url", "use_ssl", "verify"} & set(options)
    if refused:
        raise ValueError(f"{', '.join(sorted(refused))}: the calls go to {store.address}, not over a network")
    # Nobody checks a signature here, so none is made.
    config = Config(signature_version=botocore.UNSIGNED)
    given = options.pop("config", None)
    return {"endpoint_url": ENDPOINT, "region_name": store.region, **options,
            "config": given.merge(config) if given else config}


def client_of(store: Store, service: str, options: dict[str, Any]) -> Any:
    import boto3
    if service not in SERVICES:
        raise ValueError(f'a store serves {" and ".join(SERVICES)}, not "{service}"')
    client = boto3.session.Session().client(service, **_settings(store, dict(options)))
    client.meta.events.register("before-send", _Sender(store))
    return client


def resource_of(store: Store, options: dict[str, Any]) -> Any:
    import boto3
    resource = boto3.session.Session().resource("dynamodb", **_settings(store, dict(options)))
    resource.meta.client.meta.events.register("before-send", _Sender(store))
    return resource
