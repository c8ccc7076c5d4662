// Written by tools/generate_service_model. Do not edit; change tools/service_model_overrides.json instead.
// clang-format off
#include "wire/service_model.h"

#include <algorithm>
#include <iterator>

namespace dolmen::wire {
namespace {

extern const Shape kScalarAttributeType;
extern const Shape kKeySchemaAttributeName;
extern const Shape kAttributeDefinition;
extern const Shape kAttributeDefinitions;
extern const Shape kTableName;
extern const Shape kKeyType;
extern const Shape kKeySchemaElement;
extern const Shape kTableKeySchema;
extern const Shape kIndexName;
extern const Shape kKeySchema;
extern const Shape kProjectionType;
extern const Shape kNonKeyAttributeName;
extern const Shape kNonKeyAttributeNameList;
extern const Shape kProjection;
extern const Shape kLocalSecondaryIndex;
extern const Shape kLocalSecondaryIndexList;
extern const Shape kIndexKeySchema;
extern const Shape kPositiveLongObject;
extern const Shape kProvisionedThroughput;
extern const Shape kLongObject;
extern const Shape kOnDemandThroughput;
extern const Shape kWarmThroughput;
extern const Shape kGlobalSecondaryIndex;
extern const Shape kGlobalSecondaryIndexList;
extern const Shape kBillingMode;
extern const Shape kStreamEnabled;
extern const Shape kStreamViewType;
extern const Shape kStreamSpecification;
extern const Shape kSSEEnabled;
extern const Shape kSSEType;
extern const Shape kKMSMasterKeyId;
extern const Shape kSSESpecification;
extern const Shape kTagKeyString;
extern const Shape kTagValueString;
extern const Shape kTag;
extern const Shape kTagList;
extern const Shape kString;
extern const Shape kDeletionProtectionEnabled;
extern const Shape kResourcePolicy;
extern const Shape kCreateTableInput;
extern const Shape kItemTableName;
extern const Shape kAttributeName;
extern const Shape kKey;
extern const Shape kBooleanObject;
extern const Shape kComparisonOperator;
extern const Shape kAttributeValueList;
extern const Shape kExpectedAttributeValue;
extern const Shape kExpectedAttributeMap;
extern const Shape kConditionalOperator;
extern const Shape kReturnValue;
extern const Shape kReturnConsumedCapacity;
extern const Shape kReturnItemCollectionMetrics;
extern const Shape kConditionExpression;
extern const Shape kExpressionAttributeNameVariable;
extern const Shape kExpressionAttributeNameMap;
extern const Shape kExpressionAttributeValueVariable;
extern const Shape kExpressionAttributeValueMap;
extern const Shape kReturnValuesOnConditionCheckFailure;
extern const Shape kDeleteItemInput;
extern const Shape kTableNameOrArn;
extern const Shape kDeleteTableInput;
extern const Shape kDescribeTableInput;
extern const Shape kAttributeNameList;
extern const Shape kConsistentRead;
extern const Shape kProjectionExpression;
extern const Shape kGetItemInput;
extern const Shape kListTablesInputLimit;
extern const Shape kListTablesInput;
extern const Shape kPutItemInputAttributeMap;
extern const Shape kPutItemInput;

const Shape kAttributeValue{.name = "AttributeValue", .kind = Shape::Kind::kAttributeValue};

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
const Shape kKeySchema{.name = "KeySchema", .kind = Shape::Kind::kList, .element = &kKeySchemaElement, .min = 1, .max = 2};
constexpr std::string_view kProjectionTypeValues[] = {"ALL", "INCLUDE", "KEYS_ONLY"};
const Shape kProjectionType{.name = "ProjectionType", .kind = Shape::Kind::kString, .enumeration = kProjectionTypeValues};
const Shape kNonKeyAttributeName{.name = "NonKeyAttributeName", .kind = Shape::Kind::kString, .min = 1, .max = 255};
const Shape kNonKeyAttributeNameList{.name = "NonKeyAttributeNameList", .kind = Shape::Kind::kList, .element = &kNonKeyAttributeName, .min = 1, .max = 20};
constexpr Member kProjectionMembers[] = {
    {"ProjectionType", &kProjectionType, Presence::kOptional},
    {"NonKeyAttributes", &kNonKeyAttributeNameList, Presence::kOptional},
};
const Shape kProjection{.name = "Projection", .kind = Shape::Kind::kStructure, .members = kProjectionMembers};
constexpr Member kLocalSecondaryIndexMembers[] = {
    {"IndexName", &kIndexName, Presence::kRequired},
    {"KeySchema", &kKeySchema, Presence::kRequired},
    {"Projection", &kProjection, Presence::kRequired},
};
const Shape kLocalSecondaryIndex{.name = "LocalSecondaryIndex", .kind = Shape::Kind::kStructure, .members = kLocalSecondaryIndexMembers};
const Shape kLocalSecondaryIndexList{.name = "LocalSecondaryIndexList", .kind = Shape::Kind::kList, .element = &kLocalSecondaryIndex};
const Shape kIndexKeySchema{.name = "IndexKeySchema", .kind = Shape::Kind::kList, .element = &kKeySchemaElement, .min = 1, .max = 8};
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
const Shape kKMSMasterKeyId{.name = "KMSMasterKeyId", .kind = Shape::Kind::kString};
constexpr Member kSSESpecificationMembers[] = {
    {"Enabled", &kSSEEnabled, Presence::kOptional},
    {"SSEType", &kSSEType, Presence::kOptional},
    {"KMSMasterKeyId", &kKMSMasterKeyId, Presence::kOptional},
};
const Shape kSSESpecification{.name = "SSESpecification", .kind = Shape::Kind::kStructure, .members = kSSESpecificationMembers};
const Shape kTagKeyString{.name = "TagKeyString", .kind = Shape::Kind::kString, .min = 1, .max = 128};
const Shape kTagValueString{.name = "TagValueString", .kind = Shape::Kind::kString, .min = 0, .max = 256};
constexpr Member kTagMembers[] = {
    {"Key", &kTagKeyString, Presence::kRequired},
    {"Value", &kTagValueString, Presence::kRequired},
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
    {"LocalSecondaryIndexes", &kLocalSecondaryIndexList, Presence::kOptional},
    {"GlobalSecondaryIndexes", &kGlobalSecondaryIndexList, Presence::kOptional},
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
const Shape kAttributeName{.name = "AttributeName", .kind = Shape::Kind::kString, .max = 65535};
const Shape kKey{.name = "Key", .kind = Shape::Kind::kMap, .element = &kAttributeValue, .key = &kAttributeName};
const Shape kBooleanObject{.name = "BooleanObject", .kind = Shape::Kind::kBoolean};
constexpr std::string_view kComparisonOperatorValues[] = {"EQ", "NE", "IN", "LE", "LT", "GE", "GT", "BETWEEN", "NOT_NULL", "NULL", "CONTAINS", "NOT_CONTAINS", "BEGINS_WITH"};
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
constexpr std::string_view kReturnConsumedCapacityValues[] = {"INDEXES", "TOTAL", "NONE"};
const Shape kReturnConsumedCapacity{.name = "ReturnConsumedCapacity", .kind = Shape::Kind::kString, .enumeration = kReturnConsumedCapacityValues};
constexpr std::string_view kReturnItemCollectionMetricsValues[] = {"SIZE", "NONE"};
const Shape kReturnItemCollectionMetrics{.name = "ReturnItemCollectionMetrics", .kind = Shape::Kind::kString, .enumeration = kReturnItemCollectionMetricsValues};
const Shape kConditionExpression{.name = "ConditionExpression", .kind = Shape::Kind::kString};
const Shape kExpressionAttributeNameVariable{.name = "ExpressionAttributeNameVariable", .kind = Shape::Kind::kString};
const Shape kExpressionAttributeNameMap{.name = "ExpressionAttributeNameMap", .kind = Shape::Kind::kMap, .element = &kAttributeName, .key = &kExpressionAttributeNameVariable};
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
const Shape kTableNameOrArn{.name = "TableNameOrArn", .kind = Shape::Kind::kString, .min = 3, .max = 255, .pattern = "[a-zA-Z0-9_.-]+", .allows_arn = true};
constexpr Member kDeleteTableInputMembers[] = {
    {"TableName", &kTableNameOrArn, Presence::kParameter},
};
const Shape kDeleteTableInput{.name = "DeleteTableInput", .kind = Shape::Kind::kStructure, .members = kDeleteTableInputMembers};
constexpr Member kDescribeTableInputMembers[] = {
    {"TableName", &kTableNameOrArn, Presence::kParameter},
};
const Shape kDescribeTableInput{.name = "DescribeTableInput", .kind = Shape::Kind::kStructure, .members = kDescribeTableInputMembers};
const Shape kAttributeNameList{.name = "AttributeNameList", .kind = Shape::Kind::kList, .element = &kAttributeName, .min = 1};
const Shape kConsistentRead{.name = "ConsistentRead", .kind = Shape::Kind::kBoolean};
const Shape kProjectionExpression{.name = "ProjectionExpression", .kind = Shape::Kind::kString};
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
const Shape kListTablesInputLimit{.name = "ListTablesInputLimit", .kind = Shape::Kind::kInteger, .min = 1, .max = 100};
constexpr Member kListTablesInputMembers[] = {
    {"ExclusiveStartTableName", &kTableName, Presence::kOptional},
    {"Limit", &kListTablesInputLimit, Presence::kOptional},
};
const Shape kListTablesInput{.name = "ListTablesInput", .kind = Shape::Kind::kStructure, .members = kListTablesInputMembers};
const Shape kPutItemInputAttributeMap{.name = "PutItemInputAttributeMap", .kind = Shape::Kind::kMap, .element = &kAttributeValue, .key = &kAttributeName};
constexpr Member kPutItemInputMembers[] = {
    {"TableName", &kItemTableName, Presence::kRequired},
    {"Item", &kPutItemInputAttributeMap, Presence::kRequired},
    {"Expected", &kExpectedAttributeMap, Presence::kOptional},
    {"ReturnValues", &kReturnValue, Presence::kOptional},
    {"ReturnConsumedCapacity", &kReturnConsumedCapacity, Presence::kOptional},
    {"ReturnItemCollectionMetrics", &kReturnItemCollectionMetrics, Presence::kOptional},
    {"ConditionalOperator", &kConditionalOperator, Presence::kOptional},
    {"ConditionExpression", &kConditionExpression, Presence::kOptional},
    {"ExpressionAttributeNames", &kExpressionAttributeNameMap, Presence::kOptional},
    {"ExpressionAttributeValues", &kExpressionAttributeValueMap, Presence::kOptional},
    {"ReturnValuesOnConditionCheckFailure", &kReturnValuesOnConditionCheckFailure, Presence::kOptional},
};
const Shape kPutItemInput{.name = "PutItemInput", .kind = Shape::Kind::kStructure, .members = kPutItemInputMembers};

struct Operation {
  std::string_view name;
  const Shape* input;
};

constexpr Operation kOperations[] = {
    {"CreateTable", &kCreateTableInput},
    {"DeleteItem", &kDeleteItemInput},
    {"DeleteTable", &kDeleteTableInput},
    {"DescribeTable", &kDescribeTableInput},
    {"GetItem", &kGetItemInput},
    {"ListTables", &kListTablesInput},
    {"PutItem", &kPutItemInput},
};

}  // namespace

const Shape* input_shape(std::string_view operation) {
  const auto found = std::ranges::lower_bound(kOperations, operation, {}, &Operation::name);
  return found != std::end(kOperations) && found->name == operation ? found->input : nullptr;
}

}  // namespace dolmen::wire
