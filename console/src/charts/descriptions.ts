// What DescribeTable says of a table, as far as the pages need it.

export interface KeyPart {
  AttributeName: string;
  KeyType: "HASH" | "RANGE";
}

export interface IndexDescription {
  IndexName: string;
  KeySchema: KeyPart[];
}

export interface VectorIndexDescription {
  IndexName: string;
  VectorAttribute: { AttributeName: string };
  Dimensions: number;
  DistanceFunction: "COSINE" | "EUCLIDEAN" | "DOT_PRODUCT";
  SearchSchema?: { AttributeName: string; SearchSchemaElementType: "HASH" | "INLINE_FILTER" }[];
  IndexStatus?: string;
  Backfilling?: boolean;
  ItemCount?: number;
}

export interface TableDescription {
  TableName: string;
  TableStatus: string;
  TableArn: string;
  KeySchema: KeyPart[];
  AttributeDefinitions: { AttributeName: string; AttributeType: "S" | "N" | "B" }[];
  ItemCount?: number;
  TableSizeBytes?: number;
  CreationDateTime?: number;
  GlobalSecondaryIndexes?: IndexDescription[];
  VectorIndexes?: VectorIndexDescription[];
  LatestStreamArn?: string;
  StreamSpecification?: { StreamEnabled: boolean; StreamViewType?: string };
  RestoreSummary?: { RestoreInProgress: boolean; SourceTableArn?: string };
}

/** The names of the table's keys. */
export function keyNames(table: Pick<TableDescription, "KeySchema">): { partition: string; sort: string | undefined } {
  return {
    partition: table.KeySchema.find(({ KeyType }) => KeyType === "HASH")?.AttributeName ?? "",
    sort: table.KeySchema.find(({ KeyType }) => KeyType === "RANGE")?.AttributeName,
  };
}
