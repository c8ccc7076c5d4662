// Written by tools/generate_service_model. Do not edit; change tools/service_model_overrides.json instead.
// clang-format off
#include "wire/service_model.h"

#include <algorithm>
#include <iterator>

namespace dolmen::wire {
namespace {

extern const Shape kTableNameOrArn;
extern const Shape kAttributeName;
extern const Shape kKey;
extern const Shape kKeyList;
extern const Shape kAttributeNameList;
extern const Shape kConsistentRead;
extern const Shape kProjectionExpression;
extern const Shape kExpressionAttributeNameVariable;
extern const Shape kExpressionAttributeNameMap;
extern const Shape kKeysAndAttributes;
extern const Shape kBatchGetRequestMap;
extern const Shape kReturnConsumedCapacity;
extern const Shape kBatchGetItemInput;
extern const Shape kPutItemInputAttributeMap;
extern const Shape kPutRequest;
extern const Shape kDeleteRequest;
extern const Shape kWriteRequest;
extern const Shape kWriteRequests;
extern const Shape kBatchWriteItemRequestMap;
extern const Shape kReturnItemCollectionMetrics;
extern const Shape kBatchWriteItemInput;
extern const Shape kScalarAttributeType;
extern const Shape kKeySchemaAttributeName;
extern const Shape kAttributeDefinition;
extern const Shape kAttributeDefinitions;
extern const Shape kTableName;
extern const Shape kKeyType;
extern const Shape kKeySchemaElement;
extern const Shape kTableKeySchema;
extern const Shape kIndexName;
extern const Shape kIndexKeySchema;
extern const Shape kProjectionType;
extern const Shape kNonKeyAttributeName;
extern const Shape kNonKeyAttributeNameList;
extern const Shape kProjection;
extern const Shape kPositiveLongObject;
extern const Shape kProvisionedThroughput;
extern const Shape kLongObject;
extern const Shape kOnDemandThroughput;
extern const Shape kWarmThroughput;
extern const Shape kGlobalSecondaryIndex;
extern const Shape kGlobalSecondaryIndexList;
extern const Shape kKeySchema;
extern const Shape kLocalSecondaryIndex;
extern const Shape kLocalSecondaryIndexList;
extern const Shape kBillingMode;
extern const Shape kStreamEnabled;
extern const Shape kStreamViewType;
extern const Shape kStreamSpecification;
extern const Shape kSSEEnabled;
extern const Shape kSSEType;
extern const Shape kKMSMasterKeyId;
extern const Shape kSSESpecification;
extern const Shape kTagText;
extern const Shape kTag;
extern const Shape kTagList;
extern const Shape kString;
extern const Shape kDeletionProtectionEnabled;
extern const Shape kResourcePolicy;
extern const Shape kCreateTableInput;
extern const Shape kItemTableName;
extern const Shape kBooleanObject;
extern const Shape kComparisonOperator;
extern const Shape kAttributeValueList;
extern const Shape kExpectedAttributeValue;
extern const Shape kExpectedAttributeMap;
extern const Shape kConditionalOperator;
extern const Shape kReturnValue;
extern const Shape kConditionExpression;
extern const Shape kExpressionAttributeValueVariable;
extern const Shape kExpressionAttributeValueMap;
extern const Shape kReturnValuesOnConditionCheckFailure;
extern const Shape kDeleteItemInput;
extern const Shape kDeleteTableInput;
extern const Shape kStreamArn;
extern const Shape kStreamPageLimit;
extern const Shape kShardId;
extern const Shape kShardFilterType;
extern const Shape kShardFilter;
extern const Shape kDescribeStreamInput;
extern const Shape kDescribeTableInput;
extern const Shape kDescribeTimeToLiveInput;
extern const Shape kGetItemInput;
extern const Shape kShardIterator;
extern const Shape kStreamRecordsLimit;
extern const Shape kGetRecordsInput;
extern const Shape kShardIteratorType;
extern const Shape kSequenceNumber;
extern const Shape kGetShardIteratorInput;
extern const Shape kListStreamsInput;
extern const Shape kListTablesInputLimit;
extern const Shape kListTablesInput;
extern const Shape kResourceArnString;
extern const Shape kNextTokenString;
extern const Shape kListTagsOfResourceInput;
extern const Shape kPutItemInput;
extern const Shape kSelect;
extern const Shape kPositiveIntegerObject;
extern const Shape kCondition;
extern const Shape kKeyConditions;
extern const Shape kFilterConditionMap;
extern const Shape kKeyExpression;
extern const Shape kQueryInput;
extern const Shape kScanTotalSegments;
extern const Shape kScanSegment;
extern const Shape kScanInput;
extern const Shape kTagResourceInput;
extern const Shape kGet;
extern const Shape kTransactGetItem;
extern const Shape kTransactGetItemList;
extern const Shape kTransactGetItemsInput;
extern const Shape kConditionCheck;
extern const Shape kPut;
extern const Shape kDelete;
extern const Shape kUpdateExpression;
extern const Shape kUpdate;
extern const Shape kTransactWriteItem;
extern const Shape kTransactWriteItemList;
extern const Shape kClientRequestToken;
extern const Shape kTransactWriteItemsInput;
extern const Shape kTagKeyList;
extern const Shape kUntagResourceInput;
extern const Shape kAttributeAction;
extern const Shape kAttributeValueUpdate;
extern const Shape kAttributeUpdates;
extern const Shape kUpdateItemInput;
extern const Shape kUpdateGlobalSecondaryIndexAction;
extern const Shape kCreateGlobalSecondaryIndexAction;
extern const Shape kDeleteGlobalSecondaryIndexAction;
extern const Shape kGlobalSecondaryIndexUpdate;
extern const Shape kGlobalSecondaryIndexUpdateList;
extern const Shape kRegionName;
extern const Shape kProvisionedThroughputOverride;
extern const Shape kReplicaGlobalSecondaryIndex;
extern const Shape kReplicaGlobalSecondaryIndexList;
extern const Shape kTableClass;
extern const Shape kCreateReplicationGroupMemberAction;
extern const Shape kUpdateReplicationGroupMemberAction;
extern const Shape kDeleteReplicationGroupMemberAction;
extern const Shape kReplicationGroupUpdate;
extern const Shape kReplicationGroupUpdateList;
extern const Shape kUpdateTableInput;
extern const Shape kTimeToLiveEnabled;
extern const Shape kTimeToLiveAttributeName;
extern const Shape kTimeToLiveSpecification;
extern const Shape kUpdateTimeToLiveInput;

const Shape kAttributeValue{.name = "AttributeValue", .kind = Shape::Kind::kAttributeValue};

const Shape kTableNameOrArn{.name = "TableNameOrArn", .kind = Shape::Kind::kString, .min = 3, .max = 255, .pattern = "[a-zA-Z0-9_.-]+", .allows_arn = true};
const Shape kAttributeName{.name = "AttributeName", .kind = Shape::Kind::kString, .max = 65535};
const Shape kKey{.name = "Key", .kind = Shape::Kind::kMap, .element = &kAttributeValue, .key = &kAttributeName};
const Shape kKeyList{.name = "KeyList", .kind = Shape::Kind::kList, .element = &kKey, .min = 1, .max = 100};
const Shape kAttributeNameList{.name = "AttributeNameList", .kind = Shape::Kind::kList, .element = &kAttributeName, .min = 1};
const Shape kConsistentRead{.name = "ConsistentRead", .kind = Shape::Kind::kBoolean};
const Shape kProjectionExpression{.name = "ProjectionExpression", .kind = Shape::Kind::kString};
const Shape kExpressionAttributeNameVariable{.name = "ExpressionAttributeNameVariable", .kind = Shape::Kind::kString};
const Shape kExpressionAttributeNameMap{.name = "ExpressionAttributeNameMap", .kind = Shape::Kind::kMap, .element = &kAttributeName, .key = &kExpressionAttributeNameVariable};
constexpr Member kKeysAndAttributesMembers[] = {
    {"Keys", &kKeyList, Presence::kRequired},
    {"AttributesToGet", &kAttributeNameList, Presence::kOptional},
    {"ConsistentRead", &kConsistentRead, Presence::kOptional},
    {"ProjectionExpression", &kProjectionExpression, Presence::kOptional},
    {"ExpressionAttributeNames", &kExpressionAttributeNameMap, Presence::kOptional},
};
const Shape kKeysAndAttributes{.name = "KeysAndAttributes", .kind = Shape::Kind::kStructure, .members = kKeysAndAttributesMembers};
const Shape kBatchGetRequestMap{.name = "BatchGetRequestMap", .kind = Shape::Kind::kMap, .element = &kKeysAndAttributes, .key = &kTableNameOrArn, .min = 1, .max = 100};
constexpr std::string_view kReturnConsumedCapacityValues[] = {"INDEXES", "TOTAL", "NONE"};
const Shape kReturnConsumedCapacity{.name = "ReturnConsumedCapacity", .kind = Shape::Kind::kString, .enumeration = kReturnConsumedCapacityValues};
constexpr Member kBatchGetItemInputMembers[] = {
    {"RequestItems", &kBatchGetRequestMap, Presence::kRequired},
    {"ReturnConsumedCapacity", &kReturnConsumedCapacity, Presence::kOptional},
};
const Shape kBatchGetItemInput{.name = "BatchGetItemInput", .kind = Shape::Kind::kStructure, .members = kBatchGetItemInputMembers};
const Shape kPutItemInputAttributeMap{.name = "PutItemInputAttributeMap", .kind = Shape::Kind::kMap, .element = &kAttributeValue, .key = &kAttributeName};
constexpr Member kPutRequestMembers[] = {
    {"Item", &kPutItemInputAttributeMap, Presence::kRequired},
};
const Shape kPutRequest{.name = "PutRequest", .kind = Shape::Kind::kStructure, .members = kPutRequestMembers};
constexpr Member kDeleteRequestMembers[] = {
    {"Key", &kKey, Presence::kRequired},
};
const Shape kDeleteRequest{.name = "DeleteRequest", .kind = Shape::Kind::kStructure, .members = kDeleteRequestMembers};
constexpr Member kWriteRequestMembers[] = {
    {"PutRequest", &kPutRequest, Presence::kOptional},
    {"DeleteRequest", &kDeleteRequest, Presence::kOptional},
};
const Shape kWriteRequest{.name = "WriteRequest", .kind = Shape::Kind::kStructure, .members = kWriteRequestMembers};
const Shape kWriteRequests{.name = "WriteRequests", .kind = Shape::Kind::kList, .element = &kWriteRequest, .min = 1, .max = 25};
const Shape kBatchWriteItemRequestMap{.name = "BatchWriteItemRequestMap", .kind = Shape::Kind::kMap, .element = &kWriteRequests, .key = &kTableNameOrArn, .min = 1, .max = 25};
constexpr std::string_view kReturnItemCollectionMetricsValues[] = {"SIZE", "NONE"};
const Shape kReturnItemCollectionMetrics{.name = "ReturnItemCollectionMetrics", .kind = Shape::Kind::kString, .enumeration = kReturnItemCollectionMetricsValues};
constexpr Member kBatchWriteItemInputMembers[] = {
    {"RequestItems", &kBatchWriteItemRequestMap, Presence::kRequired},
    {"ReturnConsumedCapacity", &kReturnConsumedCapacity, Presence::kOptional},
    {"ReturnItemCollectionMetrics", &kReturnItemCollectionMetrics, Presence::kOptional},
};
const Shape kBatchWriteItemInput{.name = "BatchWriteItemInput", .kind = Shape::Kind::kStructure, .members = kBatchWriteItemInputMembers};
constexpr std::string_view kScalarAttributeTypeValues[] = {"B", "N", "S"};
const Shape kScalarAttributeType{.name = "ScalarAttributeType", .kind = Shape::Kind::kString, .enumeration = kScalarAttributeTypeValues};
const Shape kKeySchemaAttributeName{.name = "KeySchemaAttributeName", .kind = Shape::Kind::kString, .min = 1, .max = 255};
constexpr Member kAttributeDefinitionMembers[] = {
    {"AttributeType", &kScalarAttributeType, Presence::kRequired},
    {"AttributeName", &kKeySchemaAttributeName, Presence::kRequired},
};
const Shape kAttributeDefinition{.name = "AttributeDefinition", .kind = Shape::Kind::kStructure, .members = kAttributeDefinitionMembers};
const Shape kAttributeDefinitions{.name = "AttributeDefinitions", .kind = Shape::Kind::kList, .element = &kAttributeDefinition};
const Shape kTableName{.name = "TableName", .kind = Shape::Kind::kString, .min = 3, .max = 255, .pattern = "[a-zA-Z0-9_.-]+"};
constexpr std::string_view kKeyTypeValues[] = {"HASH", "RANGE"};
const Shape kKeyType{.name = "KeyType", .kind = Shape::Kind::kString, .enumeration = kKeyTypeValues};
constexpr Member kKeySchemaElementMembers[] = {
    {"AttributeName", &kKeySchemaAttributeName, Presence::kRequired},
    {"KeyType", &kKeyType, Presence::kRequired},
};
const Shape kKeySchemaElement{.name = "KeySchemaElement", .kind = Shape::Kind::kStructure, .members = kKeySchemaElementMembers};
const Shape kTableKeySchema{.name = "TableKeySchema", .kind = Shape::Kind::kList, .element = &kKeySchemaElement, .min = 1};
const Shape kIndexName{.name = "IndexName", .kind = Shape::Kind::kString, .min = 3, .max = 255, .pattern = "[a-zA-Z0-9_.-]+"};
const Shape kIndexKeySchema{.name = "IndexKeySchema", .kind = Shape::Kind::kList, .element = &kKeySchemaElement, .min = 1, .max = 8};
constexpr std::string_view kProjectionTypeValues[] = {"ALL", "INCLUDE", "KEYS_ONLY"};
const Shape kProjectionType{.name = "ProjectionType", .kind = Shape::Kind::kString, .enumeration = kProjectionTypeValues};
const Shape kNonKeyAttributeName{.name = "NonKeyAttributeName", .kind = Shape::Kind::kString, .min = 1, .max = 255};
const Shape kNonKeyAttributeNameList{.name = "NonKeyAttributeNameList", .kind = Shape::Kind::kList, .element = &kNonKeyAttributeName, .min = 1, .max = 20};
constexpr Member kProjectionMembers[] = {
    {"ProjectionType", &kProjectionType, Presence::kOptional},
    {"NonKeyAttributes", &kNonKeyAttributeNameList, Presence::kOptional},
};
const Shape kProjection{.name = "Projection", .kind = Shape::Kind::kStructure, .members = kProjectionMembers};
const Shape kPositiveLongObject{.name = "PositiveLongObject", .kind = Shape::Kind::kLong, .min = 1};
constexpr Member kProvisionedThroughputMembers[] = {
    {"WriteCapacityUnits", &kPositiveLongObject, Presence::kRequired},
    {"ReadCapacityUnits", &kPositiveLongObject, Presence::kRequired},
};
const Shape kProvisionedThroughput{.name = "ProvisionedThroughput", .kind = Shape::Kind::kStructure, .members = kProvisionedThroughputMembers};
const Shape kLongObject{.name = "LongObject", .kind = Shape::Kind::kLong};
constexpr Member kOnDemandThroughputMembers[] = {
    {"MaxReadRequestUnits", &kLongObject, Presence::kOptional},
    {"MaxWriteRequestUnits", &kLongObject, Presence::kOptional},
};
const Shape kOnDemandThroughput{.name = "OnDemandThroughput", .kind = Shape::Kind::kStructure, .members = kOnDemandThroughputMembers};
constexpr Member kWarmThroughputMembers[] = {
    {"ReadUnitsPerSecond", &kLongObject, Presence::kOptional},
    {"WriteUnitsPerSecond", &kLongObject, Presence::kOptional},
};
const Shape kWarmThroughput{.name = "WarmThroughput", .kind = Shape::Kind::kStructure, .members = kWarmThroughputMembers};
constexpr Member kGlobalSecondaryIndexMembers[] = {
    {"IndexName", &kIndexName, Presence::kRequired},
    {"KeySchema", &kIndexKeySchema, Presence::kRequired},
    {"Projection", &kProjection, Presence::kRequired},
    {"ProvisionedThroughput", &kProvisionedThroughput, Presence::kOptional},
    {"OnDemandThroughput", &kOnDemandThroughput, Presence::kOptional},
    {"WarmThroughput", &kWarmThroughput, Presence::kOptional},
};
const Shape kGlobalSecondaryIndex{.name = "GlobalSecondaryIndex", .kind = Shape::Kind::kStructure, .members = kGlobalSecondaryIndexMembers};
const Shape kGlobalSecondaryIndexList{.name = "GlobalSecondaryIndexList", .kind = Shape::Kind::kList, .element = &kGlobalSecondaryIndex};
const Shape kKeySchema{.name = "KeySchema", .kind = Shape::Kind::kList, .element = &kKeySchemaElement, .min = 1, .max = 2};
constexpr Member kLocalSecondaryIndexMembers[] = {
    {"IndexName", &kIndexName, Presence::kRequired},
    {"KeySchema", &kKeySchema, Presence::kRequired},
    {"Projection", &kProjection, Presence::kRequired},
};
const Shape kLocalSecondaryIndex{.name = "LocalSecondaryIndex", .kind = Shape::Kind::kStructure, .members = kLocalSecondaryIndexMembers};
const Shape kLocalSecondaryIndexList{.name = "LocalSecondaryIndexList", .kind = Shape::Kind::kList, .element = &kLocalSecondaryIndex};
constexpr std::string_view kBillingModeValues[] = {"PROVISIONED", "PAY_PER_REQUEST"};
const Shape kBillingMode{.name = "BillingMode", .kind = Shape::Kind::kString, .enumeration = kBillingModeValues};
const Shape kStreamEnabled{.name = "StreamEnabled", .kind = Shape::Kind::kBoolean};
constexpr std::string_view kStreamViewTypeValues[] = {"OLD_IMAGE", "KEYS_ONLY", "NEW_AND_OLD_IMAGES", "NEW_IMAGE"};
const Shape kStreamViewType{.name = "StreamViewType", .kind = Shape::Kind::kString, .enumeration = kStreamViewTypeValues};
constexpr Member kStreamSpecificationMembers[] = {
    {"StreamEnabled", &kStreamEnabled, Presence::kRequired},
    {"StreamViewType", &kStreamViewType, Presence::kOptional},
};
const Shape kStreamSpecification{.name = "StreamSpecification", .kind = Shape::Kind::kStructure, .members = kStreamSpecificationMembers};
const Shape kSSEEnabled{.name = "SSEEnabled", .kind = Shape::Kind::kBoolean};
constexpr std::string_view kSSETypeValues[] = {"AES256", "KMS"};
const Shape kSSEType{.name = "SSEType", .kind = Shape::Kind::kString, .enumeration = kSSETypeValues};
const Shape kKMSMasterKeyId{.name = "KMSMasterKeyId", .kind = Shape::Kind::kString, .min = 1};
constexpr Member kSSESpecificationMembers[] = {
    {"Enabled", &kSSEEnabled, Presence::kOptional},
    {"SSEType", &kSSEType, Presence::kOptional},
    {"KMSMasterKeyId", &kKMSMasterKeyId, Presence::kOptional},
};
const Shape kSSESpecification{.name = "SSESpecification", .kind = Shape::Kind::kStructure, .members = kSSESpecificationMembers};
const Shape kTagText{.name = "TagText", .kind = Shape::Kind::kString};
constexpr Member kTagMembers[] = {
    {"Key", &kTagText, Presence::kOptional},
    {"Value", &kTagText, Presence::kOptional},
};
const Shape kTag{.name = "Tag", .kind = Shape::Kind::kStructure, .members = kTagMembers};
const Shape kTagList{.name = "TagList", .kind = Shape::Kind::kList, .element = &kTag};
const Shape kString{.name = "String", .kind = Shape::Kind::kString};
const Shape kDeletionProtectionEnabled{.name = "DeletionProtectionEnabled", .kind = Shape::Kind::kBoolean};
const Shape kResourcePolicy{.name = "ResourcePolicy", .kind = Shape::Kind::kString};
constexpr Member kCreateTableInputMembers[] = {
    {"AttributeDefinitions", &kAttributeDefinitions, Presence::kRequired},
    {"TableName", &kTableName, Presence::kParameter},
    {"KeySchema", &kTableKeySchema, Presence::kRequired},
    {"GlobalSecondaryIndexes", &kGlobalSecondaryIndexList, Presence::kOptional},
    {"LocalSecondaryIndexes", &kLocalSecondaryIndexList, Presence::kOptional},
    {"BillingMode", &kBillingMode, Presence::kOptional},
    {"ProvisionedThroughput", &kProvisionedThroughput, Presence::kOptional},
    {"StreamSpecification", &kStreamSpecification, Presence::kOptional},
    {"SSESpecification", &kSSESpecification, Presence::kOptional},
    {"Tags", &kTagList, Presence::kOptional},
    {"TableClass", &kString, Presence::kOptional},
    {"DeletionProtectionEnabled", &kDeletionProtectionEnabled, Presence::kOptional},
    {"OnDemandThroughput", &kOnDemandThroughput, Presence::kOptional},
    {"WarmThroughput", &kWarmThroughput, Presence::kOptional},
    {"ResourcePolicy", &kResourcePolicy, Presence::kOptional},
};
const Shape kCreateTableInput{.name = "CreateTableInput", .kind = Shape::Kind::kStructure, .members = kCreateTableInputMembers};
const Shape kItemTableName{.name = "ItemTableName", .kind = Shape::Kind::kString, .min = 1, .max = 255, .pattern = "[a-zA-Z0-9_.-]+", .allows_arn = true};
const Shape kBooleanObject{.name = "BooleanObject", .kind = Shape::Kind::kBoolean};
constexpr std::string_view kComparisonOperatorValues[] = {"IN", "NULL", "BETWEEN", "LT", "NOT_CONTAINS", "EQ", "GT", "NOT_NULL", "NE", "LE", "BEGINS_WITH", "GE", "CONTAINS"};
const Shape kComparisonOperator{.name = "ComparisonOperator", .kind = Shape::Kind::kString, .enumeration = kComparisonOperatorValues};
const Shape kAttributeValueList{.name = "AttributeValueList", .kind = Shape::Kind::kList, .element = &kAttributeValue};
constexpr Member kExpectedAttributeValueMembers[] = {
    {"Value", &kAttributeValue, Presence::kOptional},
    {"Exists", &kBooleanObject, Presence::kOptional},
    {"ComparisonOperator", &kComparisonOperator, Presence::kOptional},
    {"AttributeValueList", &kAttributeValueList, Presence::kOptional},
};
const Shape kExpectedAttributeValue{.name = "ExpectedAttributeValue", .kind = Shape::Kind::kStructure, .members = kExpectedAttributeValueMembers};
const Shape kExpectedAttributeMap{.name = "ExpectedAttributeMap", .kind = Shape::Kind::kMap, .element = &kExpectedAttributeValue, .key = &kAttributeName};
constexpr std::string_view kConditionalOperatorValues[] = {"OR", "AND"};
const Shape kConditionalOperator{.name = "ConditionalOperator", .kind = Shape::Kind::kString, .enumeration = kConditionalOperatorValues};
constexpr std::string_view kReturnValueValues[] = {"ALL_NEW", "UPDATED_OLD", "ALL_OLD", "NONE", "UPDATED_NEW"};
const Shape kReturnValue{.name = "ReturnValue", .kind = Shape::Kind::kString, .enumeration = kReturnValueValues};
const Shape kConditionExpression{.name = "ConditionExpression", .kind = Shape::Kind::kString};
const Shape kExpressionAttributeValueVariable{.name = "ExpressionAttributeValueVariable", .kind = Shape::Kind::kString};
const Shape kExpressionAttributeValueMap{.name = "ExpressionAttributeValueMap", .kind = Shape::Kind::kMap, .element = &kAttributeValue, .key = &kExpressionAttributeValueVariable};
constexpr std::string_view kReturnValuesOnConditionCheckFailureValues[] = {"ALL_OLD", "NONE"};
const Shape kReturnValuesOnConditionCheckFailure{.name = "ReturnValuesOnConditionCheckFailure", .kind = Shape::Kind::kString, .enumeration = kReturnValuesOnConditionCheckFailureValues};
constexpr Member kDeleteItemInputMembers[] = {
    {"TableName", &kItemTableName, Presence::kRequired},
    {"Key", &kKey, Presence::kRequired},
    {"Expected", &kExpectedAttributeMap, Presence::kOptional},
    {"ConditionalOperator", &kConditionalOperator, Presence::kOptional},
    {"ReturnValues", &kReturnValue, Presence::kOptional},
    {"ReturnConsumedCapacity", &kReturnConsumedCapacity, Presence::kOptional},
    {"ReturnItemCollectionMetrics", &kReturnItemCollectionMetrics, Presence::kOptional},
    {"ConditionExpression", &kConditionExpression, Presence::kOptional},
    {"ExpressionAttributeNames", &kExpressionAttributeNameMap, Presence::kOptional},
    {"ExpressionAttributeValues", &kExpressionAttributeValueMap, Presence::kOptional},
    {"ReturnValuesOnConditionCheckFailure", &kReturnValuesOnConditionCheckFailure, Presence::kOptional},
};
const Shape kDeleteItemInput{.name = "DeleteItemInput", .kind = Shape::Kind::kStructure, .members = kDeleteItemInputMembers};
constexpr Member kDeleteTableInputMembers[] = {
    {"TableName", &kTableNameOrArn, Presence::kParameter},
};
const Shape kDeleteTableInput{.name = "DeleteTableInput", .kind = Shape::Kind::kStructure, .members = kDeleteTableInputMembers};
const Shape kStreamArn{.name = "StreamArn", .kind = Shape::Kind::kString, .min = 1, .max = 1024};
const Shape kStreamPageLimit{.name = "StreamPageLimit", .kind = Shape::Kind::kInteger, .min = 1, .max = 100};
const Shape kShardId{.name = "ShardId", .kind = Shape::Kind::kString, .min = 28, .max = 65};
constexpr std::string_view kShardFilterTypeValues[] = {"CHILD_SHARDS"};
const Shape kShardFilterType{.name = "ShardFilterType", .kind = Shape::Kind::kString, .enumeration = kShardFilterTypeValues};
constexpr Member kShardFilterMembers[] = {
    {"Type", &kShardFilterType, Presence::kRequired},
    {"ShardId", &kShardId, Presence::kRequired},
};
const Shape kShardFilter{.name = "ShardFilter", .kind = Shape::Kind::kStructure, .members = kShardFilterMembers};
constexpr Member kDescribeStreamInputMembers[] = {
    {"StreamArn", &kStreamArn, Presence::kRequired},
    {"Limit", &kStreamPageLimit, Presence::kOptional},
    {"ExclusiveStartShardId", &kShardId, Presence::kOptional},
    {"ShardFilter", &kShardFilter, Presence::kOptional},
};
const Shape kDescribeStreamInput{.name = "DescribeStreamInput", .kind = Shape::Kind::kStructure, .members = kDescribeStreamInputMembers};
constexpr Member kDescribeTableInputMembers[] = {
    {"TableName", &kTableNameOrArn, Presence::kParameter},
};
const Shape kDescribeTableInput{.name = "DescribeTableInput", .kind = Shape::Kind::kStructure, .members = kDescribeTableInputMembers};
constexpr Member kDescribeTimeToLiveInputMembers[] = {
    {"TableName", &kTableNameOrArn, Presence::kRequired},
};
const Shape kDescribeTimeToLiveInput{.name = "DescribeTimeToLiveInput", .kind = Shape::Kind::kStructure, .members = kDescribeTimeToLiveInputMembers};
constexpr Member kGetItemInputMembers[] = {
    {"TableName", &kItemTableName, Presence::kRequired},
    {"Key", &kKey, Presence::kRequired},
    {"AttributesToGet", &kAttributeNameList, Presence::kOptional},
    {"ConsistentRead", &kConsistentRead, Presence::kOptional},
    {"ReturnConsumedCapacity", &kReturnConsumedCapacity, Presence::kOptional},
    {"ProjectionExpression", &kProjectionExpression, Presence::kOptional},
    {"ExpressionAttributeNames", &kExpressionAttributeNameMap, Presence::kOptional},
};
const Shape kGetItemInput{.name = "GetItemInput", .kind = Shape::Kind::kStructure, .members = kGetItemInputMembers};
const Shape kShardIterator{.name = "ShardIterator", .kind = Shape::Kind::kString, .min = 1, .max = 2048};
const Shape kStreamRecordsLimit{.name = "StreamRecordsLimit", .kind = Shape::Kind::kInteger, .min = 1, .max = 1000};
constexpr Member kGetRecordsInputMembers[] = {
    {"ShardIterator", &kShardIterator, Presence::kRequired},
    {"Limit", &kStreamRecordsLimit, Presence::kOptional},
};
const Shape kGetRecordsInput{.name = "GetRecordsInput", .kind = Shape::Kind::kStructure, .members = kGetRecordsInputMembers};
constexpr std::string_view kShardIteratorTypeValues[] = {"TRIM_HORIZON", "LATEST", "AT_SEQUENCE_NUMBER", "AFTER_SEQUENCE_NUMBER"};
const Shape kShardIteratorType{.name = "ShardIteratorType", .kind = Shape::Kind::kString, .enumeration = kShardIteratorTypeValues};
const Shape kSequenceNumber{.name = "SequenceNumber", .kind = Shape::Kind::kString, .min = 21, .max = 40};
constexpr Member kGetShardIteratorInputMembers[] = {
    {"StreamArn", &kStreamArn, Presence::kRequired},
    {"ShardId", &kShardId, Presence::kRequired},
    {"ShardIteratorType", &kShardIteratorType, Presence::kRequired},
    {"SequenceNumber", &kSequenceNumber, Presence::kOptional},
};
const Shape kGetShardIteratorInput{.name = "GetShardIteratorInput", .kind = Shape::Kind::kStructure, .members = kGetShardIteratorInputMembers};
constexpr Member kListStreamsInputMembers[] = {
    {"TableName", &kTableName, Presence::kOptional},
    {"Limit", &kStreamPageLimit, Presence::kOptional},
    {"ExclusiveStartStreamArn", &kStreamArn, Presence::kOptional},
};
const Shape kListStreamsInput{.name = "ListStreamsInput", .kind = Shape::Kind::kStructure, .members = kListStreamsInputMembers};
const Shape kListTablesInputLimit{.name = "ListTablesInputLimit", .kind = Shape::Kind::kInteger, .min = 1, .max = 100};
constexpr Member kListTablesInputMembers[] = {
    {"ExclusiveStartTableName", &kTableName, Presence::kOptional},
    {"Limit", &kListTablesInputLimit, Presence::kOptional},
};
const Shape kListTablesInput{.name = "ListTablesInput", .kind = Shape::Kind::kStructure, .members = kListTablesInputMembers};
const Shape kResourceArnString{.name = "ResourceArnString", .kind = Shape::Kind::kString, .min = 1, .max = 1283};
const Shape kNextTokenString{.name = "NextTokenString", .kind = Shape::Kind::kString};
constexpr Member kListTagsOfResourceInputMembers[] = {
    {"ResourceArn", &kResourceArnString, Presence::kRequired},
    {"NextToken", &kNextTokenString, Presence::kOptional},
};
const Shape kListTagsOfResourceInput{.name = "ListTagsOfResourceInput", .kind = Shape::Kind::kStructure, .members = kListTagsOfResourceInputMembers};
constexpr Member kPutItemInputMembers[] = {
    {"ReturnValues", &kReturnValue, Presence::kOptional},
    {"TableName", &kItemTableName, Presence::kRequired},
    {"Item", &kPutItemInputAttributeMap, Presence::kRequired},
    {"Expected", &kExpectedAttributeMap, Presence::kOptional},
    {"ReturnConsumedCapacity", &kReturnConsumedCapacity, Presence::kOptional},
    {"ReturnItemCollectionMetrics", &kReturnItemCollectionMetrics, Presence::kOptional},
    {"ConditionalOperator", &kConditionalOperator, Presence::kOptional},
    {"ConditionExpression", &kConditionExpression, Presence::kOptional},
    {"ExpressionAttributeNames", &kExpressionAttributeNameMap, Presence::kOptional},
    {"ExpressionAttributeValues", &kExpressionAttributeValueMap, Presence::kOptional},
    {"ReturnValuesOnConditionCheckFailure", &kReturnValuesOnConditionCheckFailure, Presence::kOptional},
};
const Shape kPutItemInput{.name = "PutItemInput", .kind = Shape::Kind::kStructure, .members = kPutItemInputMembers};
constexpr std::string_view kSelectValues[] = {"SPECIFIC_ATTRIBUTES", "COUNT", "ALL_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES"};
const Shape kSelect{.name = "Select", .kind = Shape::Kind::kString, .enumeration = kSelectValues};
const Shape kPositiveIntegerObject{.name = "PositiveIntegerObject", .kind = Shape::Kind::kInteger, .min = 1};
constexpr Member kConditionMembers[] = {
    {"AttributeValueList", &kAttributeValueList, Presence::kOptional},
    {"ComparisonOperator", &kComparisonOperator, Presence::kRequired},
};
const Shape kCondition{.name = "Condition", .kind = Shape::Kind::kStructure, .members = kConditionMembers};
const Shape kKeyConditions{.name = "KeyConditions", .kind = Shape::Kind::kMap, .element = &kCondition, .key = &kAttributeName};
const Shape kFilterConditionMap{.name = "FilterConditionMap", .kind = Shape::Kind::kMap, .element = &kCondition, .key = &kAttributeName};
const Shape kKeyExpression{.name = "KeyExpression", .kind = Shape::Kind::kString};
constexpr Member kQueryInputMembers[] = {
    {"TableName", &kItemTableName, Presence::kRequired},
    {"IndexName", &kIndexName, Presence::kOptional},
    {"Select", &kSelect, Presence::kOptional},
    {"AttributesToGet", &kAttributeNameList, Presence::kOptional},
    {"Limit", &kPositiveIntegerObject, Presence::kOptional},
    {"ConsistentRead", &kConsistentRead, Presence::kOptional},
    {"KeyConditions", &kKeyConditions, Presence::kOptional},
    {"QueryFilter", &kFilterConditionMap, Presence::kOptional},
    {"ConditionalOperator", &kConditionalOperator, Presence::kOptional},
    {"ScanIndexForward", &kBooleanObject, Presence::kOptional},
    {"ExclusiveStartKey", &kKey, Presence::kOptional},
    {"ReturnConsumedCapacity", &kReturnConsumedCapacity, Presence::kOptional},
    {"ProjectionExpression", &kProjectionExpression, Presence::kOptional},
    {"FilterExpression", &kConditionExpression, Presence::kOptional},
    {"KeyConditionExpression", &kKeyExpression, Presence::kOptional},
    {"ExpressionAttributeNames", &kExpressionAttributeNameMap, Presence::kOptional},
    {"ExpressionAttributeValues", &kExpressionAttributeValueMap, Presence::kOptional},
};
const Shape kQueryInput{.name = "QueryInput", .kind = Shape::Kind::kStructure, .members = kQueryInputMembers};
const Shape kScanTotalSegments{.name = "ScanTotalSegments", .kind = Shape::Kind::kInteger, .min = 1, .max = 1000000};
const Shape kScanSegment{.name = "ScanSegment", .kind = Shape::Kind::kInteger, .min = 0, .max = 999999};
constexpr Member kScanInputMembers[] = {
    {"TableName", &kItemTableName, Presence::kRequired},
    {"IndexName", &kIndexName, Presence::kOptional},
    {"AttributesToGet", &kAttributeNameList, Presence::kOptional},
    {"Limit", &kPositiveIntegerObject, Presence::kOptional},
    {"Select", &kSelect, Presence::kOptional},
    {"ScanFilter", &kFilterConditionMap, Presence::kOptional},
    {"ConditionalOperator", &kConditionalOperator, Presence::kOptional},
    {"ExclusiveStartKey", &kKey, Presence::kOptional},
    {"ReturnConsumedCapacity", &kReturnConsumedCapacity, Presence::kOptional},
    {"TotalSegments", &kScanTotalSegments, Presence::kOptional},
    {"Segment", &kScanSegment, Presence::kOptional},
    {"ProjectionExpression", &kProjectionExpression, Presence::kOptional},
    {"FilterExpression", &kConditionExpression, Presence::kOptional},
    {"ExpressionAttributeNames", &kExpressionAttributeNameMap, Presence::kOptional},
    {"ExpressionAttributeValues", &kExpressionAttributeValueMap, Presence::kOptional},
    {"ConsistentRead", &kConsistentRead, Presence::kOptional},
};
const Shape kScanInput{.name = "ScanInput", .kind = Shape::Kind::kStructure, .members = kScanInputMembers};
constexpr Member kTagResourceInputMembers[] = {
    {"ResourceArn", &kResourceArnString, Presence::kRequired},
    {"Tags", &kTagList, Presence::kRequired},
};
const Shape kTagResourceInput{.name = "TagResourceInput", .kind = Shape::Kind::kStructure, .members = kTagResourceInputMembers};
constexpr Member kGetMembers[] = {
    {"Key", &kKey, Presence::kRequired},
    {"TableName", &kItemTableName, Presence::kRequired},
    {"ProjectionExpression", &kProjectionExpression, Presence::kOptional},
    {"ExpressionAttributeNames", &kExpressionAttributeNameMap, Presence::kOptional},
};
const Shape kGet{.name = "Get", .kind = Shape::Kind::kStructure, .members = kGetMembers};
constexpr Member kTransactGetItemMembers[] = {
    {"Get", &kGet, Presence::kRequired},
};
const Shape kTransactGetItem{.name = "TransactGetItem", .kind = Shape::Kind::kStructure, .members = kTransactGetItemMembers};
const Shape kTransactGetItemList{.name = "TransactGetItemList", .kind = Shape::Kind::kList, .element = &kTransactGetItem, .min = 1, .max = 100};
constexpr Member kTransactGetItemsInputMembers[] = {
    {"TransactItems", &kTransactGetItemList, Presence::kRequired},
    {"ReturnConsumedCapacity", &kReturnConsumedCapacity, Presence::kOptional},
};
const Shape kTransactGetItemsInput{.name = "TransactGetItemsInput", .kind = Shape::Kind::kStructure, .members = kTransactGetItemsInputMembers};
constexpr Member kConditionCheckMembers[] = {
    {"Key", &kKey, Presence::kRequired},
    {"TableName", &kItemTableName, Presence::kRequired},
    {"ConditionExpression", &kConditionExpression, Presence::kRequired},
    {"ExpressionAttributeNames", &kExpressionAttributeNameMap, Presence::kOptional},
    {"ExpressionAttributeValues", &kExpressionAttributeValueMap, Presence::kOptional},
    {"ReturnValuesOnConditionCheckFailure", &kReturnValuesOnConditionCheckFailure, Presence::kOptional},
};
const Shape kConditionCheck{.name = "ConditionCheck", .kind = Shape::Kind::kStructure, .members = kConditionCheckMembers};
constexpr Member kPutMembers[] = {
    {"Item", &kPutItemInputAttributeMap, Presence::kRequired},
    {"TableName", &kItemTableName, Presence::kRequired},
    {"ConditionExpression", &kConditionExpression, Presence::kOptional},
    {"ExpressionAttributeNames", &kExpressionAttributeNameMap, Presence::kOptional},
    {"ExpressionAttributeValues", &kExpressionAttributeValueMap, Presence::kOptional},
    {"ReturnValuesOnConditionCheckFailure", &kReturnValuesOnConditionCheckFailure, Presence::kOptional},
};
const Shape kPut{.name = "Put", .kind = Shape::Kind::kStructure, .members = kPutMembers};
constexpr Member kDeleteMembers[] = {
    {"Key", &kKey, Presence::kRequired},
    {"TableName", &kItemTableName, Presence::kRequired},
    {"ConditionExpression", &kConditionExpression, Presence::kOptional},
    {"ExpressionAttributeNames", &kExpressionAttributeNameMap, Presence::kOptional},
    {"ExpressionAttributeValues", &kExpressionAttributeValueMap, Presence::kOptional},
    {"ReturnValuesOnConditionCheckFailure", &kReturnValuesOnConditionCheckFailure, Presence::kOptional},
};
const Shape kDelete{.name = "Delete", .kind = Shape::Kind::kStructure, .members = kDeleteMembers};
const Shape kUpdateExpression{.name = "UpdateExpression", .kind = Shape::Kind::kString};
constexpr Member kUpdateMembers[] = {
    {"Key", &kKey, Presence::kRequired},
    {"UpdateExpression", &kUpdateExpression, Presence::kRequired},
    {"TableName", &kItemTableName, Presence::kRequired},
    {"ConditionExpression", &kConditionExpression, Presence::kOptional},
    {"ExpressionAttributeNames", &kExpressionAttributeNameMap, Presence::kOptional},
    {"ExpressionAttributeValues", &kExpressionAttributeValueMap, Presence::kOptional},
    {"ReturnValuesOnConditionCheckFailure", &kReturnValuesOnConditionCheckFailure, Presence::kOptional},
};
const Shape kUpdate{.name = "Update", .kind = Shape::Kind::kStructure, .members = kUpdateMembers};
constexpr Member kTransactWriteItemMembers[] = {
    {"ConditionCheck", &kConditionCheck, Presence::kOptional},
    {"Put", &kPut, Presence::kOptional},
    {"Delete", &kDelete, Presence::kOptional},
    {"Update", &kUpdate, Presence::kOptional},
};
const Shape kTransactWriteItem{.name = "TransactWriteItem", .kind = Shape::Kind::kStructure, .members = kTransactWriteItemMembers};
const Shape kTransactWriteItemList{.name = "TransactWriteItemList", .kind = Shape::Kind::kList, .element = &kTransactWriteItem, .min = 1, .max = 100};
const Shape kClientRequestToken{.name = "ClientRequestToken", .kind = Shape::Kind::kString, .min = 1, .max = 36};
constexpr Member kTransactWriteItemsInputMembers[] = {
    {"TransactItems", &kTransactWriteItemList, Presence::kRequired},
    {"ClientRequestToken", &kClientRequestToken, Presence::kOptional},
    {"ReturnConsumedCapacity", &kReturnConsumedCapacity, Presence::kOptional},
    {"ReturnItemCollectionMetrics", &kReturnItemCollectionMetrics, Presence::kOptional},
};
const Shape kTransactWriteItemsInput{.name = "TransactWriteItemsInput", .kind = Shape::Kind::kStructure, .members = kTransactWriteItemsInputMembers};
const Shape kTagKeyList{.name = "TagKeyList", .kind = Shape::Kind::kList, .element = &kTagText};
constexpr Member kUntagResourceInputMembers[] = {
    {"ResourceArn", &kResourceArnString, Presence::kRequired},
    {"TagKeys", &kTagKeyList, Presence::kRequired},
};
const Shape kUntagResourceInput{.name = "UntagResourceInput", .kind = Shape::Kind::kStructure, .members = kUntagResourceInputMembers};
constexpr std::string_view kAttributeActionValues[] = {"ADD", "PUT", "DELETE"};
const Shape kAttributeAction{.name = "AttributeAction", .kind = Shape::Kind::kString, .enumeration = kAttributeActionValues};
constexpr Member kAttributeValueUpdateMembers[] = {
    {"Value", &kAttributeValue, Presence::kOptional},
    {"Action", &kAttributeAction, Presence::kOptional},
};
const Shape kAttributeValueUpdate{.name = "AttributeValueUpdate", .kind = Shape::Kind::kStructure, .members = kAttributeValueUpdateMembers};
const Shape kAttributeUpdates{.name = "AttributeUpdates", .kind = Shape::Kind::kMap, .element = &kAttributeValueUpdate, .key = &kAttributeName};
constexpr Member kUpdateItemInputMembers[] = {
    {"ReturnConsumedCapacity", &kReturnConsumedCapacity, Presence::kOptional},
    {"ReturnItemCollectionMetrics", &kReturnItemCollectionMetrics, Presence::kOptional},
    {"TableName", &kItemTableName, Presence::kRequired},
    {"ReturnValues", &kReturnValue, Presence::kOptional},
    {"ConditionalOperator", &kConditionalOperator, Presence::kOptional},
    {"Key", &kKey, Presence::kRequired},
    {"AttributeUpdates", &kAttributeUpdates, Presence::kOptional},
    {"Expected", &kExpectedAttributeMap, Presence::kOptional},
    {"UpdateExpression", &kUpdateExpression, Presence::kOptional},
    {"ConditionExpression", &kConditionExpression, Presence::kOptional},
    {"ExpressionAttributeNames", &kExpressionAttributeNameMap, Presence::kOptional},
    {"ExpressionAttributeValues", &kExpressionAttributeValueMap, Presence::kOptional},
    {"ReturnValuesOnConditionCheckFailure", &kReturnValuesOnConditionCheckFailure, Presence::kOptional},
};
const Shape kUpdateItemInput{.name = "UpdateItemInput", .kind = Shape::Kind::kStructure, .members = kUpdateItemInputMembers};
constexpr Member kUpdateGlobalSecondaryIndexActionMembers[] = {
    {"IndexName", &kIndexName, Presence::kRequired},
    {"ProvisionedThroughput", &kProvisionedThroughput, Presence::kOptional},
    {"OnDemandThroughput", &kOnDemandThroughput, Presence::kOptional},
    {"WarmThroughput", &kWarmThroughput, Presence::kOptional},
};
const Shape kUpdateGlobalSecondaryIndexAction{.name = "UpdateGlobalSecondaryIndexAction", .kind = Shape::Kind::kStructure, .members = kUpdateGlobalSecondaryIndexActionMembers};
constexpr Member kCreateGlobalSecondaryIndexActionMembers[] = {
    {"IndexName", &kIndexName, Presence::kRequired},
    {"KeySchema", &kIndexKeySchema, Presence::kRequired},
    {"Projection", &kProjection, Presence::kRequired},
    {"ProvisionedThroughput", &kProvisionedThroughput, Presence::kOptional},
    {"OnDemandThroughput", &kOnDemandThroughput, Presence::kOptional},
    {"WarmThroughput", &kWarmThroughput, Presence::kOptional},
};
const Shape kCreateGlobalSecondaryIndexAction{.name = "CreateGlobalSecondaryIndexAction", .kind = Shape::Kind::kStructure, .members = kCreateGlobalSecondaryIndexActionMembers};
constexpr Member kDeleteGlobalSecondaryIndexActionMembers[] = {
    {"IndexName", &kIndexName, Presence::kRequired},
};
const Shape kDeleteGlobalSecondaryIndexAction{.name = "DeleteGlobalSecondaryIndexAction", .kind = Shape::Kind::kStructure, .members = kDeleteGlobalSecondaryIndexActionMembers};
constexpr Member kGlobalSecondaryIndexUpdateMembers[] = {
    {"Update", &kUpdateGlobalSecondaryIndexAction, Presence::kOptional},
    {"Create", &kCreateGlobalSecondaryIndexAction, Presence::kOptional},
    {"Delete", &kDeleteGlobalSecondaryIndexAction, Presence::kOptional},
};
const Shape kGlobalSecondaryIndexUpdate{.name = "GlobalSecondaryIndexUpdate", .kind = Shape::Kind::kStructure, .members = kGlobalSecondaryIndexUpdateMembers};
const Shape kGlobalSecondaryIndexUpdateList{.name = "GlobalSecondaryIndexUpdateList", .kind = Shape::Kind::kList, .element = &kGlobalSecondaryIndexUpdate};
const Shape kRegionName{.name = "RegionName", .kind = Shape::Kind::kString};
constexpr Member kProvisionedThroughputOverrideMembers[] = {
    {"ReadCapacityUnits", &kPositiveLongObject, Presence::kOptional},
};
const Shape kProvisionedThroughputOverride{.name = "ProvisionedThroughputOverride", .kind = Shape::Kind::kStructure, .members = kProvisionedThroughputOverrideMembers};
constexpr Member kReplicaGlobalSecondaryIndexMembers[] = {
    {"IndexName", &kIndexName, Presence::kRequired},
    {"ProvisionedThroughputOverride", &kProvisionedThroughputOverride, Presence::kOptional},
};
const Shape kReplicaGlobalSecondaryIndex{.name = "ReplicaGlobalSecondaryIndex", .kind = Shape::Kind::kStructure, .members = kReplicaGlobalSecondaryIndexMembers};
const Shape kReplicaGlobalSecondaryIndexList{.name = "ReplicaGlobalSecondaryIndexList", .kind = Shape::Kind::kList, .element = &kReplicaGlobalSecondaryIndex, .min = 1};
constexpr std::string_view kTableClassValues[] = {"STANDARD", "STANDARD_INFREQUENT_ACCESS"};
const Shape kTableClass{.name = "TableClass", .kind = Shape::Kind::kString, .enumeration = kTableClassValues};
constexpr Member kCreateReplicationGroupMemberActionMembers[] = {
    {"RegionName", &kRegionName, Presence::kRequired},
    {"KMSMasterKeyId", &kKMSMasterKeyId, Presence::kOptional},
    {"ProvisionedThroughputOverride", &kProvisionedThroughputOverride, Presence::kOptional},
    {"GlobalSecondaryIndexes", &kReplicaGlobalSecondaryIndexList, Presence::kOptional},
    {"TableClassOverride", &kTableClass, Presence::kOptional},
};
const Shape kCreateReplicationGroupMemberAction{.name = "CreateReplicationGroupMemberAction", .kind = Shape::Kind::kStructure, .members = kCreateReplicationGroupMemberActionMembers};
constexpr Member kUpdateReplicationGroupMemberActionMembers[] = {
    {"RegionName", &kRegionName, Presence::kRequired},
    {"KMSMasterKeyId", &kKMSMasterKeyId, Presence::kOptional},
    {"ProvisionedThroughputOverride", &kProvisionedThroughputOverride, Presence::kOptional},
    {"GlobalSecondaryIndexes", &kReplicaGlobalSecondaryIndexList, Presence::kOptional},
    {"TableClassOverride", &kTableClass, Presence::kOptional},
};
const Shape kUpdateReplicationGroupMemberAction{.name = "UpdateReplicationGroupMemberAction", .kind = Shape::Kind::kStructure, .members = kUpdateReplicationGroupMemberActionMembers};
constexpr Member kDeleteReplicationGroupMemberActionMembers[] = {
    {"RegionName", &kRegionName, Presence::kRequired},
};
const Shape kDeleteReplicationGroupMemberAction{.name = "DeleteReplicationGroupMemberAction", .kind = Shape::Kind::kStructure, .members = kDeleteReplicationGroupMemberActionMembers};
constexpr Member kReplicationGroupUpdateMembers[] = {
    {"Create", &kCreateReplicationGroupMemberAction, Presence::kOptional},
    {"Update", &kUpdateReplicationGroupMemberAction, Presence::kOptional},
    {"Delete", &kDeleteReplicationGroupMemberAction, Presence::kOptional},
};
const Shape kReplicationGroupUpdate{.name = "ReplicationGroupUpdate", .kind = Shape::Kind::kStructure, .members = kReplicationGroupUpdateMembers};
const Shape kReplicationGroupUpdateList{.name = "ReplicationGroupUpdateList", .kind = Shape::Kind::kList, .element = &kReplicationGroupUpdate, .min = 1};
constexpr Member kUpdateTableInputMembers[] = {
    {"AttributeDefinitions", &kAttributeDefinitions, Presence::kOptional},
    {"TableName", &kTableNameOrArn, Presence::kParameter},
    {"BillingMode", &kBillingMode, Presence::kOptional},
    {"ProvisionedThroughput", &kProvisionedThroughput, Presence::kOptional},
    {"GlobalSecondaryIndexUpdates", &kGlobalSecondaryIndexUpdateList, Presence::kOptional},
    {"StreamSpecification", &kStreamSpecification, Presence::kOptional},
    {"SSESpecification", &kSSESpecification, Presence::kOptional},
    {"ReplicaUpdates", &kReplicationGroupUpdateList, Presence::kOptional},
    {"TableClass", &kString, Presence::kOptional},
    {"DeletionProtectionEnabled", &kDeletionProtectionEnabled, Presence::kOptional},
    {"OnDemandThroughput", &kOnDemandThroughput, Presence::kOptional},
    {"WarmThroughput", &kWarmThroughput, Presence::kOptional},
};
const Shape kUpdateTableInput{.name = "UpdateTableInput", .kind = Shape::Kind::kStructure, .members = kUpdateTableInputMembers};
const Shape kTimeToLiveEnabled{.name = "TimeToLiveEnabled", .kind = Shape::Kind::kBoolean};
const Shape kTimeToLiveAttributeName{.name = "TimeToLiveAttributeName", .kind = Shape::Kind::kString, .min = 1, .max = 255};
constexpr Member kTimeToLiveSpecificationMembers[] = {
    {"Enabled", &kTimeToLiveEnabled, Presence::kRequired},
    {"AttributeName", &kTimeToLiveAttributeName, Presence::kRequired},
};
const Shape kTimeToLiveSpecification{.name = "TimeToLiveSpecification", .kind = Shape::Kind::kStructure, .members = kTimeToLiveSpecificationMembers};
constexpr Member kUpdateTimeToLiveInputMembers[] = {
    {"TableName", &kTableNameOrArn, Presence::kRequired},
    {"TimeToLiveSpecification", &kTimeToLiveSpecification, Presence::kRequired},
};
const Shape kUpdateTimeToLiveInput{.name = "UpdateTimeToLiveInput", .kind = Shape::Kind::kStructure, .members = kUpdateTimeToLiveInputMembers};

struct Operation {
  std::string_view name;
  const Shape* input;
};

constexpr Operation kOperations[] = {
    {"BatchGetItem", &kBatchGetItemInput},
    {"BatchWriteItem", &kBatchWriteItemInput},
    {"CreateTable", &kCreateTableInput},
    {"DeleteItem", &kDeleteItemInput},
    {"DeleteTable", &kDeleteTableInput},
    {"DescribeStream", &kDescribeStreamInput},
    {"DescribeTable", &kDescribeTableInput},
    {"DescribeTimeToLive", &kDescribeTimeToLiveInput},
    {"GetItem", &kGetItemInput},
    {"GetRecords", &kGetRecordsInput},
    {"GetShardIterator", &kGetShardIteratorInput},
    {"ListStreams", &kListStreamsInput},
    {"ListTables", &kListTablesInput},
    {"ListTagsOfResource", &kListTagsOfResourceInput},
    {"PutItem", &kPutItemInput},
    {"Query", &kQueryInput},
    {"Scan", &kScanInput},
    {"TagResource", &kTagResourceInput},
    {"TransactGetItems", &kTransactGetItemsInput},
    {"TransactWriteItems", &kTransactWriteItemsInput},
    {"UntagResource", &kUntagResourceInput},
    {"UpdateItem", &kUpdateItemInput},
    {"UpdateTable", &kUpdateTableInput},
    {"UpdateTimeToLive", &kUpdateTimeToLiveInput},
};

constexpr std::string_view kAllOperations[] = {
    "BatchExecuteStatement",
    "BatchGetItem",
    "BatchWriteItem",
    "CancelBulkOperation",
    "CreateBackup",
    "CreateGlobalTable",
    "CreateTable",
    "DeleteBackup",
    "DeleteItem",
    "DeleteResourcePolicy",
    "DeleteTable",
    "DescribeBackup",
    "DescribeBulkOperation",
    "DescribeContinuousBackups",
    "DescribeContributorInsights",
    "DescribeEndpoints",
    "DescribeExport",
    "DescribeGlobalTable",
    "DescribeGlobalTableSettings",
    "DescribeImport",
    "DescribeKinesisStreamingDestination",
    "DescribeLimits",
    "DescribeTable",
    "DescribeTableReplicaAutoScaling",
    "DescribeTimeToLive",
    "DisableKinesisStreamingDestination",
    "EnableKinesisStreamingDestination",
    "ExecuteStatement",
    "ExecuteTransaction",
    "ExportTableToPointInTime",
    "GetItem",
    "GetResourcePolicy",
    "ImportTable",
    "ListBackups",
    "ListBulkOperations",
    "ListContributorInsights",
    "ListExports",
    "ListGlobalTables",
    "ListImports",
    "ListTables",
    "ListTagsOfResource",
    "PutItem",
    "PutResourcePolicy",
    "Query",
    "RestoreTableFromBackup",
    "RestoreTableToPointInTime",
    "Scan",
    "SearchVectors",
    "StartBulkPutItems",
    "TagResource",
    "TransactGetItems",
    "TransactWriteItems",
    "UntagResource",
    "UpdateContinuousBackups",
    "UpdateContributorInsights",
    "UpdateGlobalTable",
    "UpdateGlobalTableSettings",
    "UpdateItem",
    "UpdateKinesisStreamingDestination",
    "UpdateTable",
    "UpdateTableReplicaAutoScaling",
    "UpdateTimeToLive",
};

}  // namespace

const Shape* input_shape(std::string_view operation) {
  const auto found = std::ranges::lower_bound(kOperations, operation, {}, &Operation::name);
  return found != std::end(kOperations) && found->name == operation ? found->input : nullptr;
}

bool is_dynamodb_operation(std::string_view operation) {
  return std::ranges::binary_search(kAllOperations, operation);
}

}  // namespace dolmen::wire
