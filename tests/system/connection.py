"""A connection for tests that send many requests: little is done for each."""

import json
import socket

from dolmen_server import PATIENCE_S, encode, target_of


class Connection:
    """A connection that stays open. A request can be sent and its answer read in two steps, so that two servers can work at
    the same time on the same request."""

    def __init__(self, port, account="local"):
        """DynamoDB Local keeps the tables of different access keys apart."""
        self._port = port
        self._authorization = (f"AWS4-HMAC-SHA256 Credential={account}/20200101/us-east-1/dynamodb/aws4_request, "
                               "SignedHeaders=host, Signature=x")
        self._socket = None

    def close(self):
        if self._socket is not None:
            self._socket.close()
        self._socket = None

    def call(self, operation, body):
        """The status of the answer and what its JSON says."""
        self.send(operation, encode(body))
        status, answer = self.receive()
        return status, json.loads(answer)

    def must(self, operation, body):
        """One operation that has to succeed; its response."""
        status, answer = self.call(operation, body)
        assert status == 200, f"{operation} {body}: {status} {answer}"
        return answer

    def send(self, operation, payload):
        if self._socket is None:
            self._socket = socket.create_connection(("127.0.0.1", self._port), 2 * PATIENCE_S)
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._buffer = b""
        head = (f"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(payload)}\r\n"
                f"X-Amz-Target: {target_of(operation)}\r\nContent-Type: application/x-amz-json-1.0\r\n"
                f"X-Amz-Date: 20200101T000000Z\r\nAuthorization: {self._authorization}\r\n\r\n")
        self._socket.sendall(head.encode() + payload)

    def receive(self):
        """The status and the body of the answer."""
        while (end := self._buffer.find(b"\r\n\r\n")) < 0:
            self._read_more()
        head, self._buffer = self._buffer[:end].decode("latin-1").lower(), self._buffer[end + 4:]
        status_line, *lines = head.split("\r\n")
        headers = dict(line.split(":", 1) for line in lines)
        chunked = "chunked" in headers.get("transfer-encoding", "")
        body = self._read_chunks() if chunked else self._read(int(headers.get("content-length", 0)))
        if headers.get("connection", "").strip() == "close":
            self.close()
        return int(status_line.split()[1]), body

    def _read(self, length):
        while len(self._buffer) < length:
            self._read_more()
        body, self._buffer = self._buffer[:length], self._buffer[length:]
        return body

    def _read_chunks(self):
        body = b""
        while True:
            while (end := self._buffer.find(b"\r\n")) < 0:
                self._read_more()
            length, self._buffer = int(self._buffer[:end], 16), self._buffer[end + 2:]
            chunk = self._read(length + 2)[:-2]
            if not chunk:
                return body
            body += chunk

    def _read_more(self):
        chunk = self._socket.recv(1 << 18)
        if not chunk:
            raise ConnectionError(f"the server on port {self._port} closed the connection")
        self._buffer += chunk
