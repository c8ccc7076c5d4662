"""The tables of a lane and the names and keys that its requests play with. Few of each, so that requests meet."""


def schema(*names):
    return [{"AttributeName": name, "KeyType": kind} for name, kind in zip(names, ("HASH", "RANGE"))]


def definitions(**types):
    return [{"AttributeName": name, "AttributeType": kind} for name, kind in types.items()]


def projection(kind, *included):
    return {"ProjectionType": kind} | ({"NonKeyAttributes": list(included)} if included else {})


class Table:
    """A table as the generators see it: its keys and those of its indexes as {attribute: type}."""

    def __init__(self, name, keys, local=(), global_=(), provisioned=False):
        self.name, self.keys = name, keys
        self.indexes = {index: dict(index_keys) for index, index_keys, _ in (*local, *global_)}
        self.index_keys = {attribute: kind for index_keys in self.indexes.values()
                           for attribute, kind in index_keys.items() if attribute not in keys}
        self.definition = {"TableName": name, "KeySchema": schema(*keys),
                           "AttributeDefinitions": definitions(**(keys | self.index_keys))}
        units = {"ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": 5}} if provisioned else {}
        self.definition |= units or {"BillingMode": "PAY_PER_REQUEST"}
        for member, indexes in (("LocalSecondaryIndexes", local), ("GlobalSecondaryIndexes", global_)):
            if indexes:
                self.definition[member] = [
                    {"IndexName": index, "KeySchema": schema(*index_keys), "Projection": projected}
                    | (units if member.startswith("Global") else {}) for index, index_keys, projected in indexes]

    def keys_of(self, index):
        return self.indexes[index] if index else self.keys


class World:
    """The random numbers and the tables of one lane."""

    def __init__(self, random, lane):
        self.random = random
        self.lane = lane
        self.wide = Table(
            f"{lane}-wide", {"p": "S", "s": "N"},
            local=[("local", {"p": "S", "l": "S"}, projection("KEYS_ONLY"))],
            global_=[("global", {"g": "S", "h": "N"}, projection("ALL")),
                     ("included", {"g": "S"}, projection("INCLUDE", "a"))])
        self.simple = Table(f"{lane}-simple", {"k": "S"}, provisioned=True)
        self.odd = Table(f"{lane}-odd", {"n": "N", "b": "B"}, global_=[("by-binary", {"b": "B"}, projection("ALL"))])
        self.tables = [self.wide, self.simple, self.odd]
        # What a later request may continue with; only ever taken from Dolmen's answers.
        self.start_keys = []
        # How many tables were made for stories.
        self.stories = 0

    def table(self):
        return self.random.choices(self.tables, (7, 2, 1))[0]

    def table_name(self, table):
        """Nearly always the table's name."""
        if self.random.random() < 0.992:
            return table.name
        return self.random.choice([f"{self.lane}-missing", "ab", "", "no such/name", "x" * 256])

    def chance(self, probability):
        return self.random.random() < probability
