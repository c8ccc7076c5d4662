// What the models share that `dolmen model generate --lang ts` writes. A model turns
// records into the input of commands of the document client, and back:
//
//   const client = DynamoDBDocumentClient.from(new DynamoDBClient(), clientOptions);
//   await client.send(new PutCommand(userModel.create(user)));
//   await client.send(new UpdateCommand(userModel.update(user, ["nickname"])));
//
// Nothing here talks to a server.
import type {
  DeleteCommandInput,
  GetCommandInput,
  PutCommandInput,
  QueryCommandInput,
  TranslateConfig,
  UpdateCommandInput,
} from "@aws-sdk/lib-dynamodb";

import {
  decodeCursor,
  decodeValue,
  encodeCursor,
  encodeValue,
  hasRole,
  isEmpty,
  isOwned,
  isSet,
  isTime,
  ModelError,
  nowText,
  seal,
  unseal,
  type Attribute,
  type Item,
  type KeyProvider,
  type Native,
} from "./dolmen_values.js";

export * from "./dolmen_values.js";

/** For DynamoDBDocumentClient.from: numbers keep all of their digits. */
export const clientOptions: TranslateConfig = {
  marshallOptions: { removeUndefinedValues: true },
  unmarshallOptions: { wrapNumbers: true },
};

export type QueryInput = QueryCommandInput;

export interface Index {
  readonly name: string;
  readonly partition: string;
  readonly sort?: string;
}

/** A condition on the sort key of a query; made by the functions below. */
export interface Sort<T> {
  readonly operator: "=" | "<" | "<=" | ">" | ">=" | "BETWEEN" | "begins_with";
  readonly values: readonly T[];
}

export const equals = <T>(value: T): Sort<T> => ({
  operator: "=",
  values: [value],
});
export const lessThan = <T>(value: T): Sort<T> => ({
  operator: "<",
  values: [value],
});
export const atMost = <T>(value: T): Sort<T> => ({
  operator: "<=",
  values: [value],
});
export const greaterThan = <T>(value: T): Sort<T> => ({
  operator: ">",
  values: [value],
});
export const atLeast = <T>(value: T): Sort<T> => ({
  operator: ">=",
  values: [value],
});
export const between = <T>(low: T, high: T): Sort<T> => ({
  operator: "BETWEEN",
  values: [low, high],
});
export const beginsWith = <T>(prefix: T): Sort<T> => ({
  operator: "begins_with",
  values: [prefix],
});

export interface WriteOptions {
  /** The present unless a test puts its own here. */
  now?: Date | string;
  /** Another table than the model's. */
  table?: string;
}

export interface EncryptedWriteOptions extends WriteOptions {
  keys: KeyProvider;
}

export interface DeleteOptions {
  /** Deletes the item only if it still has this version. */
  version?: number;
  table?: string;
}

export interface QueryOptions {
  descending?: boolean;
  limit?: number;
  /** Where another page ended, in this or another language. */
  cursor?: string;
  table?: string;
}

export interface Definition {
  readonly name: string;
  readonly table: string;
  readonly partition: string;
  readonly sort?: string;
  readonly attributes: readonly Attribute[];
  readonly indexes?: readonly Index[];
  readonly writeOnce?: true;
  readonly protected?: readonly string[];
}

class Placeholders {
  readonly names: Record<string, string> = {};
  readonly values: Item = {};

  name(attribute: string): string {
    const known = Object.keys(this.names).find(
      (each) => this.names[each] === attribute,
    );
    if (known !== undefined) return known;
    const placeholder = `#n${String(Object.keys(this.names).length)}`;
    this.names[placeholder] = attribute;
    return placeholder;
  }

  value(value: Native): string {
    const placeholder = `:v${String(Object.keys(this.values).length)}`;
    this.values[placeholder] = value;
    return placeholder;
  }
}

/** What an update writes, before anything is encrypted. */
interface Change {
  attribute: Attribute;
  /** Undefined when the attribute is removed. */
  value: Native | undefined;
}

type Record_ = Record<string, unknown>;

/** The rules that all models share. */
abstract class Rules {
  constructor(readonly definition: Definition) {}

  /** The key of an item. */
  key(partition: unknown, sort?: unknown): Item {
    const { definition } = this;
    const key: Item = {
      [definition.partition]: this.keyPart(definition.partition, partition),
    };
    if (definition.sort !== undefined)
      key[definition.sort] = this.keyPart(definition.sort, sort);
    return key;
  }

  get(key: Item, table = this.definition.table): GetCommandInput {
    return { TableName: table, Key: key, ConsistentRead: true };
  }

  delete(key: Item, options: DeleteOptions = {}): DeleteCommandInput {
    this.checkMutable("a delete");
    const out: DeleteCommandInput = {
      TableName: options.table ?? this.definition.table,
      Key: key,
    };
    if (options.version === undefined) return out;
    const places = new Placeholders();
    const counter = this.version();
    const expected = places.value(encodeValue(counter, options.version));
    return {
      ...out,
      ConditionExpression: `${places.name(counter.name)} = ${expected}`,
      ExpressionAttributeNames: places.names,
      ExpressionAttributeValues: places.values,
    };
  }

  /** A page of the items of a partition, of the table or of an index. */
  query<T>(
    partition: unknown,
    sort: Sort<T> | undefined,
    index: string,
    options: QueryOptions = {},
  ): QueryCommandInput {
    const keys = this.keysOf(index);
    const places = new Placeholders();
    const part = places.value(this.keyPart(keys.partition, partition));
    let condition = `${places.name(keys.partition)} = ${part}`;
    if (sort !== undefined)
      condition += ` AND ${this.sortCondition(keys.sort, sort, places)}`;
    const out: QueryCommandInput = {
      TableName: options.table ?? this.definition.table,
      KeyConditionExpression: condition,
      ExpressionAttributeNames: places.names,
      ExpressionAttributeValues: places.values,
    };
    if (index !== "") out.IndexName = index;
    if (options.descending) out.ScanIndexForward = false;
    if (options.limit !== undefined) out.Limit = options.limit;
    if (options.cursor)
      out.ExclusiveStartKey = decodeCursor(
        options.cursor,
        index,
        options.descending ? "DESC" : "ASC",
      );
    return out;
  }

  /** Where the page of a query ended; empty after the last one. Every language can go
   * on from there. */
  cursor(
    page: { LastEvaluatedKey?: Item | undefined },
    index = "",
    descending = false,
  ): string {
    if (page.LastEvaluatedKey === undefined) return "";
    return encodeCursor(
      page.LastEvaluatedKey,
      index,
      descending ? "DESC" : "ASC",
    );
  }

  // ---- For models with and without encryption ----

  protected plainItem(record: Record_, now?: Date | string): Item {
    this.checkNames(record);
    const item = this.keyOf(record);
    const moment = nowText(now);
    for (const attribute of this.definition.attributes) {
      const value = record[attribute.name];
      if (isTime(attribute)) item[attribute.name] = moment;
      else if (attribute.name in item) continue;
      else if (hasRole(attribute, "version"))
        item[attribute.name] = encodeValue(attribute, value ?? 0);
      else if (this.isLeftOut(attribute, value))
        this.checkNotRequired(attribute);
      else item[attribute.name] = encodeValue(attribute, value);
    }
    return item;
  }

  protected record(item: Item): Record_ {
    const record: Record_ = {};
    for (const attribute of this.definition.attributes) {
      const { name } = attribute;
      const stored: unknown = item[name] ?? null;
      const holdsNull =
        attribute.json ?? (isSet(attribute) || attribute.type === "NULL");
      if (stored !== null || (holdsNull && name in item))
        record[name] = decodeValue(attribute, stored);
      else if (attribute.required || this.keys().includes(name))
        throw new ModelError(
          "ErrInvalidModel",
          `the required attribute "${name}" is missing or NULL`,
        );
      else if (!attribute.nullable) record[name] = emptyValue(attribute);
    }
    return record;
  }

  protected changes(record: Record_, fields: readonly string[]): Change[] {
    this.checkMutable("an update");
    this.version();
    return fields.map((name) => {
      const attribute = this.changeable(name, fields);
      const value = record[name];
      if (!this.isLeftOut(attribute, value))
        return { attribute, value: encodeValue(attribute, value) };
      this.checkNotRequired(attribute);
      return { attribute, value: undefined };
    });
  }

  protected updateInput(
    record: Record_,
    changes: Change[],
    options: WriteOptions,
  ): UpdateCommandInput {
    const version = this.version();
    const places = new Placeholders();
    const sets: string[] = [];
    const removes: string[] = [];
    for (const { name, roles } of this.definition.attributes)
      if (roles?.includes("updated_at"))
        sets.push(
          `${places.name(name)} = ${places.value(nowText(options.now))}`,
        );
    for (const { attribute, value } of changes)
      if (value === undefined) removes.push(places.name(attribute.name));
      else sets.push(`${places.name(attribute.name)} = ${places.value(value)}`);
    const known = record[version.name];
    if (known === undefined || known === null)
      throw new ModelError(
        "ErrInvalidModel",
        `an update needs "${version.name}"`,
      );
    const counter = places.name(version.name);
    const clauses = [
      sets.length > 0 ? `SET ${sets.join(", ")} ` : "",
      removes.length > 0 ? `REMOVE ${removes.join(", ")} ` : "",
      `ADD ${counter} ${places.value(1)}`,
    ];
    const expected = places.value(encodeValue(version, known));
    return {
      TableName: options.table ?? this.definition.table,
      Key: this.keyOf(record),
      UpdateExpression: clauses.join(""),
      ConditionExpression: `${counter} = ${expected}`,
      ExpressionAttributeNames: places.names,
      ExpressionAttributeValues: places.values,
    };
  }

  protected createInput(item: Item, options: WriteOptions): PutCommandInput {
    return {
      TableName: options.table ?? this.definition.table,
      Item: item,
      ConditionExpression: "attribute_not_exists(#pk)",
      ExpressionAttributeNames: { "#pk": this.definition.partition },
    };
  }

  protected putInput(item: Item, options: WriteOptions): PutCommandInput {
    return { TableName: options.table ?? this.definition.table, Item: item };
  }

  protected checkReplaceable(): void {
    this.checkMutable("a put that may replace one");
    const [name] = this.definition.protected ?? [];
    if (name !== undefined)
      throw new ModelError(
        "ErrProtectedFieldMutation",
        `a put replaces the whole item, but "${name}" is protected`,
      );
  }

  protected encrypted(): Attribute[] {
    return this.definition.attributes.filter((each) => each.encrypted);
  }

  private keyOf(record: Record_): Item {
    const { partition, sort } = this.definition;
    return this.key(
      record[partition],
      sort === undefined ? undefined : record[sort],
    );
  }

  private keys(): string[] {
    const { partition, sort } = this.definition;
    return sort === undefined ? [partition] : [partition, sort];
  }

  private keysOf(index: string): Pick<Index, "partition" | "sort"> {
    if (index === "") return this.definition;
    const found = this.definition.indexes?.find((each) => each.name === index);
    if (found !== undefined) return found;
    throw new ModelError("ErrInvalidOperator", `there is no index "${index}"`);
  }

  private attribute(name: string): Attribute {
    const found = this.definition.attributes.find((each) => each.name === name);
    if (found !== undefined) return found;
    throw new ModelError(
      "ErrInvalidModel",
      `model "${this.definition.name}" has no attribute "${name}"`,
    );
  }

  private version(): Attribute {
    const found = this.definition.attributes.find((each) =>
      hasRole(each, "version"),
    );
    if (found !== undefined) return found;
    throw new ModelError(
      "ErrInvalidModel",
      `model "${this.definition.name}" has no version`,
    );
  }

  private keyPart(name: string, value: unknown): Native {
    const isBlank =
      value === "" || (value instanceof Uint8Array && value.length === 0);
    if (value === undefined || value === null || isBlank)
      throw new ModelError(
        "ErrMissingPrimaryKey",
        `the key attribute "${name}" is ${isBlank ? "empty" : "missing"}`,
      );
    return encodeValue(this.attribute(name), value);
  }

  private sortCondition<T>(
    name: string | undefined,
    sort: Sort<T>,
    places: Placeholders,
  ): string {
    if (name === undefined)
      throw new ModelError(
        "ErrInvalidOperator",
        "there is no sort key to compare with",
      );
    const left = places.name(name);
    const [first, second] = sort.values.map((each) =>
      places.value(this.keyPart(name, each)),
    );
    if (sort.operator === "BETWEEN")
      return `${left} BETWEEN ${String(first)} AND ${String(second)}`;
    if (sort.operator === "begins_with")
      return `begins_with(${left}, ${String(first)})`;
    return `${left} ${sort.operator} ${String(first)}`;
  }

  private changeable(name: string, fields: readonly string[]): Attribute {
    const attribute = this.attribute(name);
    const isTwice = fields.filter((each) => each === name).length > 1;
    if (isTwice || this.keys().includes(name) || isOwned(attribute))
      throw new ModelError("ErrInvalidModel", `"${name}" cannot be updated so`);
    if (this.definition.protected?.includes(name))
      throw new ModelError(
        "ErrProtectedFieldMutation",
        `"${name}" is protected and cannot be changed`,
      );
    return attribute;
  }

  private checkNames(record: Record_): void {
    for (const name of Object.keys(record)) this.attribute(name);
  }

  private checkMutable(what: string): void {
    if (this.definition.writeOnce)
      throw new ModelError(
        "ErrImmutableModelMutation",
        `model "${this.definition.name}" is write_once: ${what} is refused`,
      );
  }

  private checkNotRequired(attribute: Attribute): void {
    if (attribute.required)
      throw new ModelError(
        "ErrInvalidModel",
        `the required attribute "${attribute.name}" is missing or empty`,
      );
  }

  private isLeftOut(attribute: Attribute, value: unknown): boolean {
    if (value === undefined || (value === null && attribute.nullable))
      return true;
    if (attribute.omitEmpty && isEmpty(attribute, value)) return true;
    if (!attribute.required || attribute.type === "NULL") return false;
    return value === null || (isSet(attribute) && isEmpty(attribute, value));
  }
}

/** What a record holds for an attribute that is not stored. */
function emptyValue(attribute: Attribute): unknown {
  if (attribute.json || attribute.type === "NULL") return null;
  if (isSet(attribute)) return new Set();
  switch (attribute.type) {
    case "N":
      return decodeValue(attribute, 0);
    case "B":
      return new Uint8Array();
    case "BOOL":
      return false;
    case "L":
      return [];
    case "M":
      return {};
    default:
      return "";
  }
}

/** One kind of item. `R` is its record, `N` what a program must say of a new one, `I`
 * the item that is stored, and `F` the names of what an update may change. */
export class Model<
  R extends object,
  N extends object,
  I extends object,
  F extends string,
> extends Rules {
  /** The item that a put of the record stores. */
  encode(record: N, options: WriteOptions = {}): I {
    return this.plainItem(record as Record_, options.now) as I;
  }

  /** The record of an item, whichever language has written it. */
  decode(item: Item): R {
    return this.record(item) as R;
  }

  /** Fails with ErrConditionFailed when the item exists. */
  create(record: N, options: WriteOptions = {}): PutCommandInput {
    return this.createInput(
      this.plainItem(record as Record_, options.now),
      options,
    );
  }

  /** Replaces the item if there is one. */
  put(record: N, options: WriteOptions = {}): PutCommandInput {
    this.checkReplaceable();
    return this.putInput(
      this.plainItem(record as Record_, options.now),
      options,
    );
  }

  /** Writes these fields if the stored version is that of the record, and counts it
   * up. Fails with ErrConditionFailed when somebody was faster. */
  update(
    record: N,
    fields: readonly F[],
    options: WriteOptions = {},
  ): UpdateCommandInput {
    const changes = this.changes(record as Record_, fields);
    return this.updateInput(record as Record_, changes, options);
  }
}

/** A model with encrypted attributes, whose keys may have to be fetched. */
export class EncryptedModel<
  R extends object,
  N extends object,
  I extends object,
  F extends string,
> extends Rules {
  /** The item that a put of the record stores. */
  async encode(record: N, options: EncryptedWriteOptions): Promise<I> {
    return (await this.sealedItem(record, options)) as I;
  }

  /** The record of an item, whichever language has written it. */
  async decode(item: Item, keys: KeyProvider): Promise<R> {
    this.checkKeys(keys);
    const plain = { ...item };
    for (const { name } of this.encrypted())
      if (name in item)
        plain[name] = await unseal(
          item[name],
          this.definition.name,
          name,
          keys,
        );
    return this.record(plain) as R;
  }

  /** Fails with ErrConditionFailed when the item exists. */
  async create(
    record: N,
    options: EncryptedWriteOptions,
  ): Promise<PutCommandInput> {
    return this.createInput(await this.sealedItem(record, options), options);
  }

  /** Replaces the item if there is one. */
  async put(
    record: N,
    options: EncryptedWriteOptions,
  ): Promise<PutCommandInput> {
    this.checkReplaceable();
    return this.putInput(await this.sealedItem(record, options), options);
  }

  /** Writes these fields if the stored version is that of the record, and counts it
   * up. Fails with ErrConditionFailed when somebody was faster. */
  async update(
    record: N,
    fields: readonly F[],
    options: EncryptedWriteOptions,
  ): Promise<UpdateCommandInput> {
    this.checkKeys(options.keys);
    const changes = this.changes(record as Record_, fields);
    for (const change of changes)
      if (change.attribute.encrypted && change.value !== undefined)
        change.value = await seal(
          change.value,
          this.definition.name,
          change.attribute.name,
          options.keys,
        );
    return this.updateInput(record as Record_, changes, options);
  }

  private async sealedItem(
    record: N,
    options: EncryptedWriteOptions,
  ): Promise<Item> {
    this.checkKeys(options.keys);
    const item = this.plainItem(record as Record_, options.now);
    for (const { name } of this.encrypted())
      if (name in item)
        item[name] = await seal(
          item[name],
          this.definition.name,
          name,
          options.keys,
        );
    return item;
  }

  /** For programs that the compiler has not checked. */
  private checkKeys(keys: KeyProvider | undefined): void {
    if (keys === undefined)
      throw new ModelError(
        "ErrEncryptionNotConfigured",
        `model "${this.definition.name}" has encrypted attributes, but there are no keys`,
      );
  }
}
