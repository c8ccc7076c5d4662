"""What a test does: a step is one request, or a read that is followed page by page to its end."""

import json
import typing


class Answer(typing.NamedTuple):
    status: int
    body: object  # Read from JSON; the text where it is none.


def read_answer(connection):
    status, body = connection.receive()
    try:
        return Answer(status, json.loads(body))
    except ValueError:
        return Answer(status, body.decode(errors="replace"))


def encode(body):
    return body.encode() if isinstance(body, str) else json.dumps(body).encode()


class Call(typing.NamedTuple):
    operation: str
    body: object  # A text is sent as it is.

    def run(self, connections):
        """The answers of all servers, which work at the same time."""
        payload = encode(self.body)
        for connection in connections:
            connection.send(self.operation, payload)
        return [read_answer(connection) for connection in connections]


class Walk(typing.NamedTuple):
    """A Query or Scan that goes from page to page. Where pages end differs between servers; all of them together do not."""
    operation: str
    body: dict

    PAGES_MAX = 200

    def run(self, connections):
        return [self._whole(connection) for connection in connections]

    def _whole(self, connection):
        whole, body = {"Items": [], "Count": 0, "ScannedCount": 0}, self.body
        for _ in range(self.PAGES_MAX):
            answer, = Call(self.operation, body).run([connection])
            if answer.status != 200:
                return answer
            whole["Items"] += answer.body.get("Items", [])
            whole["Count"] += answer.body["Count"]
            whole["ScannedCount"] += answer.body["ScannedCount"]
            if "LastEvaluatedKey" not in answer.body:
                return Answer(200, whole)
            body = body | {"ExclusiveStartKey": answer.body["LastEvaluatedKey"]}
        return Answer(200, whole | {"Endless": f"more than {self.PAGES_MAX} pages"})
