"""Resources in a tree: created, changed, moved and deleted with all that is below them, in one transaction or by a job."""

import time

from actor import Actor, Book, text_of
from stores import expect, own

TABLE = {"table": "system"}
TYPES = {"domain": "pp", "ids": "any", "types": [{"name": "Root"}, {"name": "Node", "parents": ["Root", "Node"], "unique": ["code"]}]}


class TreeKeeper(Actor):
    def __init__(self, name):
        super().__init__(name)
        self.book = Book()   # by URN: (URN of the parent, attributes)
        self._count = 0

    def set_up(self, client):
        client.must(own("BindRelations"), TABLE | {"types": TYPES})

    def step(self, client):
        ways = ((60, self._create), (14, self._update), (8, self._attach), (1 + len(self.book.rows) / 12, self._delete), (10, self._read))
        weights, ways = zip(*ways)
        self.random.choices(ways, weights)[0](client)

    def _done(self, client, operation, body, change, refusals=()):
        self.book.pending = [change]
        answer = self.ask(client, own(operation), TABLE | body, refusals)
        self.book.pending = []
        if isinstance(answer, dict):
            self.book.apply(change)
        return answer

    def _some(self, kind=""):
        urns = sorted(urn for urn in self.book.rows if kind in urn)
        return self.random.choice(urns) if urns else None

    def _create(self, client):
        self._count += 1
        name = f"{self.name}-{self._count}"
        parent = self._some()
        if parent is None or self.random.random() < 0.02:
            self._done(client, "CreateResource", {"type": "Root", "id": name, "attributes": {"size": {"N": "1"}}},
                       {f"urn:pp:Root::{name}": (None, {"size": {"N": "1"}})})
            return
        attributes = {"size": {"N": str(self._count)}}
        self._done(client, "CreateResource", {"type": "Node", "id": name, "parent": parent, "attributes": attributes,
                                              "unique": [{"key": "code", "value": f"code-{name}"}]},
                   {f"urn:pp:Node::{name}": (parent, attributes | {"code": {"S": f"code-{name}"}})})

    def _update(self, client):
        urn = self._some()
        if urn is not None:
            self._count += 1
            parent, attributes = self.book.get(urn)
            changed = attributes | {"size": {"N": str(self._count)}}
            self._done(client, "UpdateResource", {"urn": urn, "set": {"size": {"N": str(self._count)}}}, {urn: (parent, changed)})

    def _attach(self, client):
        urn, parent = self._some("Node"), self._some()
        if urn is not None and parent is not None and urn != parent:
            # Refused where it would be a cycle, or too deep.
            self._done(client, "AttachResource", {"urn": urn, "parent": parent}, {urn: (parent, self.book.get(urn)[1])},
                       ("Cycle", "TooDeep", "LimitExceeded"))

    def _delete(self, client):
        urn = self._some()
        if urn is not None:
            self._done(client, "DeleteResource", {"urn": urn}, dict.fromkeys(self._family(urn)))

    def _family(self, root):
        family, waiting = [], [root]
        while waiting:
            urn = waiting.pop()
            family.append(urn)
            waiting += [child for child, (parent, _) in self.book.rows.items() if parent == urn]
        return family

    def _read(self, client):
        urn = self._some()
        if urn is not None:
            answer = self.ask(client, own("GetResource"), TABLE | {"urn": urn})
            expect((answer.get("parent"), answer["attributes"]) == self.book.get(urn), f"{self.name}: read {text_of(answer)}")

    def check(self, client):
        deadline = time.monotonic() + 30
        # A server goes on with an interrupted delete by itself; so does whoever asks for it.
        client.must(own("ResumeDeletes"), TABLE)
        while client.must(own("ListDeletes"), TABLE)["jobs"]:
            expect(time.monotonic() < deadline, f"{self.name}: a delete does not end")
            time.sleep(0.01)
        found, body = {}, TABLE | {"limit": 500}
        while True:
            page = client.must(own("ListResources"), body)
            for one in page["resources"]:
                if one["urn"].startswith("urn:pp:"):
                    found[one["urn"]] = (one.get("parent"), one["attributes"])
            if "token" not in page:
                break
            body = body | {"token": page["token"]}
        self.book.settle(found, self.name)
        self._check_links(client)

    def _check_links(self, client):
        findings = client.must(own("VerifyRelations"), TABLE | {"whole_table": True, "limit": 1000})
        expect(not findings["findings"], f"{self.name}: {text_of(findings)[:800]}")
        values = client.must(own("ListValues"), TABLE | {"type": "Node", "key": "code", "limit": 1000})["values"]
        expect(sorted(one["value"] for one in values) == sorted(
            attributes["code"]["S"] for _, attributes in self.book.rows.values() if "code" in attributes),
            f"{self.name}: unique values are not those of the resources")
