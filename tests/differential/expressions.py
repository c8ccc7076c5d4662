"""Random expressions of every grammar form, with the placeholders that they need."""

import values

NAMES = ("a", "b", "c", "d", "m", "ss")
COMPARATORS = ("=", "<>", "<", "<=", ">", ">=")
TYPE_NAMES = ("S", "N", "B", "BOOL", "NULL", "SS", "NS", "BS", "L", "M")
RESERVED = ("name", "abort", "Status", "SIZE", "value")
BROKEN = ("a = = :v", "a =", "a = 4", "(a = b", "a = b)", "!!", "a..b = c", "a[-1] = b", "a[x] = b", "_a = b", "a-b = c",
          "a = b AND", "AND", "NOT", "a BETWEEN b", "a IN ()", "a IN b", "begins_with(a b)", "SET", "SET a", "SET a = b,",
          "SET (a = b)", "ADD a", "REMOVE", "a b", ", a", "a,", "a.", "#", ":", "a = 'x'", "attribute_exists(", "",
          " ", "a[0", "a[99999999999]", "SET a = b + c + d", "SET a += :v", "FOO a = b", "a NOT = b", "NOT NOT a = b")


class Expressions:
    """Makes expressions and collects their placeholders for one request."""

    def __init__(self, world, names=NAMES):
        self._world = world
        self._random = world.random
        self._names = names
        self.names, self.values = {}, {}

    def add_to(self, body):
        """Gives the request its placeholders; now and then one too many, or one too few."""
        random = self._random
        if self._world.chance(0.015):
            self.values[":unused"] = values.scalar(random)
        if self._world.chance(0.008):
            self.names["#unused"] = "q"
        if self._world.chance(0.004):
            self.values[random.choice((":", "a", ":a-b", ":" + "v" * 255, ":ok"))] = {"S": "x"}
        if self._world.chance(0.004):
            self.names[random.choice(("#", "a", "#a-b", "#" + "n" * 255, "#ok"))] = random.choice(("a", "", "b"))
        if self._world.chance(0.004) and self.values:
            self.values.pop(random.choice(list(self.values)))
        if self._world.chance(0.006) and self.values:
            self.values[random.choice(list(self.values))] = values.bad_value(random)
        if self.values or self._world.chance(0.003):
            body["ExpressionAttributeValues"] = self.values
        if self.names or self._world.chance(0.003):
            body["ExpressionAttributeNames"] = self.names
        return body

    def value(self, attribute_value):
        placeholder = f":v{len(self.values)}"
        self.values[placeholder] = attribute_value
        return placeholder

    def name(self, attribute):
        placeholder = f"#n{len(self.names)}"
        self.names[placeholder] = attribute
        return placeholder

    def path(self):
        random = self._random
        if random.random() < 0.006:
            return random.choice((*RESERVED, "#undefined", "a." + RESERVED[0], "g.x", "s[0]", "p.x"))
        first = random.choice(self._names) if random.random() < 0.96 else random.choice(("p", "s", "l", "g", "h", "k", "n"))
        text = self.name(first) if random.random() < 0.15 else first
        while random.random() < 0.28:
            text += random.choice((".x", ".y", ".z", "[0]", "[1]", "[5]"))
            if random.random() < 0.05:
                text += "." + self.name(random.choice(("x", "y", "p", "name")))
        return text

    def operand(self):
        random = self._random
        pick = random.random()
        if pick < 0.45:
            return self.path()
        if pick < 0.85:
            return self.value(values.value(random))
        if pick < 0.97:
            return f"size({self.path()})"
        return random.choice((":undefined", "zz", "nope(a)", "size(:v0)", "size(size(a))", "attribute_exists(a)",
                              "if_not_exists(a, b)", "contains(a, b)", "(a)", "SIZE(a)", "a + b"))

    def text_or_path(self):
        random = self._random
        if random.random() < 0.3:
            return self.path()
        if random.random() < 0.85:
            return self.value({"S": random.choice(("x", "a", "ab", ""))} if random.random() < 0.8 else
                              {"B": random.choice(("AA==", ""))})
        return self.operand()

    def function(self):
        random = self._random
        match random.randrange(6):
            case 0 | 1:
                return f"{random.choice(('attribute_exists', 'attribute_not_exists'))}({self.path()})"
            case 2:
                return f"begins_with({self.path()}, {self.text_or_path()})"
            case 3:
                return f"contains({self.path()}, {self.text_or_path() if random.random() < 0.6 else self.operand()})"
            case 4:
                kind = {"S": random.choice(TYPE_NAMES)} if random.random() < 0.93 else values.value(random)
                return f"attribute_type({self.path()}, {self.value(kind)})"
        operands = ", ".join(self.operand() for _ in range(random.choice((0, 1, 1, 2, 2, 3))))
        name = random.choice(("attribute_exists", "begins_with", "contains", "attribute_type", "size", "exists",
                              "attribute_not_exists", "Contains")) if random.random() < 0.2 else "contains"
        return f"{name}({operands})"

    def comparison(self):
        random = self._random
        pick = random.random()
        if pick < 0.6:
            return f"{self.operand()} {random.choice(COMPARATORS)} {self.operand()}"
        if pick < 0.8:
            kind = random.choice(("S", "N", "B"))
            low, high = (self.value(values.key_value(random, kind, mistakes=False)) for _ in range(2))
            if random.random() < 0.3:
                low, high = self.operand(), self.operand()
            return f"{self.operand()} BETWEEN {low} AND {high}"
        return f"{self.operand()} IN ({', '.join(self.operand() for _ in range(random.randrange(1, 5)))})"

    def condition(self, depth=0):
        random = self._random
        pick = random.random()
        if depth == 0 and pick < 0.02:
            return self.strange_condition()
        if depth < 3 and pick < 0.16:
            return f"{self.condition(depth + 1)} {random.choice(('AND', 'and', 'AND'))} {self.condition(depth + 1)}"
        if depth < 3 and pick < 0.26:
            return f"{self.condition(depth + 1)} OR {self.condition(depth + 1)}"
        if depth < 3 and pick < 0.33:
            return f"NOT {self.condition(depth + 1)}"
        if depth < 3 and pick < 0.40:
            return f"({self.condition(depth + 1)})"
        return self.comparison() if pick < 0.75 else self.function()

    def strange_condition(self):
        """At a limit, or broken."""
        random = self._random
        match random.randrange(8):
            case 0:
                return random.choice((f"(({self.comparison()}))", f"NOT ((({self.comparison()})))"))
            case 1:
                return "a = b".ljust(random.choice((4095, 4096, 4097)))
            case 2:
                return " OR ".join(["a < b"] * random.choice((150, 151)))
            case 3:
                return f"a IN ({', '.join(['b'] * random.choice((99, 100, 101)))})"
            case 4:
                return random.choice(BROKEN)
            case 5:
                return "NOT " * random.choice((5, 299, 300, 301)) + "a = b"
        return self.damaged(self.condition(1))

    def damaged(self, text):
        """The text with a piece cut out, doubled, or put in."""
        random = self._random
        at, length = random.randrange(len(text) + 1), random.randrange(1, 4)
        middle = random.choice(("", text[at:at + length] * 2, random.choice(("(", ")", ",", "=", ".", " ", "[", "#", "!"))))
        return text[:at] + middle + text[at + length:]

    def assigned(self, depth=0):
        """The right side of SET."""
        random = self._random
        pick = random.random()
        if pick < 0.3:
            return self.value(values.value(random))
        if pick < 0.4:
            return self.path()
        if pick < 0.6:
            left, right = (self.value({"N": values.number(random)}) if random.random() < 0.6 else self.addend(depth)
                           for _ in range(2))
            return f"{left} {random.choice('+-')} {right}"
        if pick < 0.75:
            return f"if_not_exists({self.path()}, {self.assigned_operand(depth)})"
        if pick < 0.95:
            lists = [self.value({"L": [values.scalar(random)]}) if random.random() < 0.6 else self.assigned_operand(depth)
                     for _ in range(2)]
            return f"list_append({lists[0]}, {lists[1]})"
        return random.choice(("(:v0)", "size(a)", "list_append(:v0)", "if_not_exists(:v0, a)", "a + b + c",
                              "attribute_exists(a)", "(a - b)", "((a) + (b))"))

    def addend(self, depth):
        return f"if_not_exists({self.path()}, {self.value({'N': '0'})})" if self._random.random() < 0.3 else self.path()

    def assigned_operand(self, depth):
        if depth < 2 and self._random.random() < 0.15:
            return self.assigned(depth + 1) if self._random.random() < 0.7 else f"({self.assigned(depth + 1)})"
        return self.value(values.value(self._random)) if self._random.random() < 0.6 else self.path()

    def update(self):
        random = self._random
        if random.random() < 0.02:
            return random.choice((random.choice(BROKEN), "SET a = :v0 SET b = :v0", "SET a = b".ljust(4097),
                                  self.damaged(self.update_sections())))
        return self.update_sections()

    def update_sections(self):
        random, sections = self._random, []
        if random.random() < 0.75:
            sections.append("SET " + ", ".join(f"{self.path()} = {self.assigned()}" for _ in range(random.choice((1, 1, 2, 3)))))
        if random.random() < 0.3:
            sections.append("REMOVE " + ", ".join(self.path() for _ in range(random.choice((1, 1, 2, 3)))))
        if random.random() < 0.22:
            operand = {"N": values.number(random)} if random.random() < 0.6 else values.some_set(random)
            sections.append(f"ADD {self.path()} {self.value(operand if random.random() < 0.9 else values.value(random))}")
        if random.random() < 0.18:
            operand = values.some_set(random) if random.random() < 0.9 else values.value(random)
            sections.append(f"DELETE {self.path()} {self.value(operand)}")
        random.shuffle(sections)
        return " ".join(sections) or f"SET a = {self.value(values.value(random))}"

    def projection(self):
        random = self._random
        if random.random() < 0.02:
            return random.choice(("", "a, a", "a.x, a", "a[0], a.x", "a b", "a,, b", "!!", ":v", "size(a)", "a,".ljust(4097),
                                  "(a)", "name", "#undefined"))
        return ", ".join(self.path() for _ in range(random.choice((1, 1, 2, 3, 4))))

    def key_condition(self, keys, partition_value=None):
        """For the keys of a table or an index, as {attribute: type}."""
        random = self._random
        (partition, kind), *sorts = keys.items()
        equal = partition_value or values.key_value(random, kind)
        conditions = [f"{self.shown(partition)} = {self.value(equal)}"]
        if sorts and random.random() < 0.6:
            conditions.append(self.sort_condition(*sorts[0]))
        pick = random.random()
        if pick < 0.03:
            return self.strange_key_condition(conditions, partition, kind)
        if pick < 0.15:
            conditions = [f"({condition})" for condition in conditions]
        random.shuffle(conditions)
        return " AND ".join(conditions)

    def shown(self, attribute):
        return self.name(attribute) if self._random.random() < 0.2 else attribute

    def sort_condition(self, sort, kind):
        random = self._random

        def operand():
            good = values.key_value(random, kind) if random.random() < 0.97 else values.value(random)
            return self.value(values.index_key_value(random, kind) if random.random() < 0.5 else good)
        match random.randrange(6):
            case 0 | 1 | 2:
                if random.random() < 0.1:
                    return f"{operand()} {random.choice(COMPARATORS[2:])} {self.shown(sort)}"
                return f"{self.shown(sort)} {random.choice(('=', '<', '<=', '>', '>='))} {operand()}"
            case 3:
                return f"{self.shown(sort)} BETWEEN {operand()} AND {operand()}"
            case 4 if kind != "N" or random.random() < 0.05:
                return f"begins_with({self.shown(sort)}, {operand()})"
        return f"{self.shown(sort)} = {operand()}"

    def strange_key_condition(self, conditions, partition, kind):
        random = self._random
        first = conditions[0]
        value = self.value(values.key_value(random, kind))
        return random.choice((
            f"{first} OR {first}", f"NOT {first}", f"{partition} <> {value}", f"{partition} > {value}",
            f"{partition} IN ({value})", f"attribute_exists({partition})", f"{first} AND {partition} = {value}",
            f"{first} AND zz = {value}", f"zz = {value}", f"{partition}.x = {value}", f"{partition}[0] = {value}",
            f"size({partition}) = {value}", f"{value} = {value}", f"{partition} = {partition}", f"(({first}))", "",
            f"contains({partition}, {value})", f"begins_with({partition}, {value})", f"{first} AND zz = {value} AND a = {value}",
            f"{value} BETWEEN {partition} AND {value}", f"{partition} BETWEEN {value} AND {value}", self.damaged(first),
            f"({' AND '.join(conditions)})", f"{partition} = :undefined", f"#undefined = {value}", f"name = {value}"))
