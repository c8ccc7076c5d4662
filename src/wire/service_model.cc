// Written by tools/generate_service_model. Do not edit; change tools/service_model_overrides.json instead.
// clang-format off
#include "wire/service_model.h"

#include <algorithm>
#include <iterator>

namespace dolmen::wire {
namespace {

extern const Shape kPartiQLStatement;
extern const Shape kPreparedStatementParameters;
extern const Shape kConsistentRead;
extern const Shape kReturnValuesOnConditionCheckFailure;
extern const Shape kBatchStatementRequest;
extern const Shape kPartiQLBatchRequest;
extern const Shape kReturnConsumedCapacity;
extern const Shape kBatchExecuteStatementInput;
extern const Shape kTableNameOrArn;
extern const Shape kAttributeName;
extern const Shape kKey;
extern const Shape kKeyList;
extern const Shape kAttributeNameList;
extern const Shape kProjectionExpression;
extern const Shape kExpressionAttributeNameVariable;
extern const Shape kExpressionAttributeNameMap;
extern const Shape kKeysAndAttributes;
extern const Shape kBatchGetRequestMap;
extern const Shape kBatchGetItemInput;
extern const Shape kPutItemInputAttributeMap;
extern const Shape kPutRequest;
extern const Shape kDeleteRequest;
extern const Shape kWriteRequest;
extern const Shape kWriteRequests;
extern const Shape kBatchWriteItemRequestMap;
extern const Shape kReturnItemCollectionMetrics;
extern const Shape kBatchWriteItemInput;
extern const Shape kBulkOperationArn;
extern const Shape kCancelBulkOperationInput;
extern const Shape kBackupName;
extern const Shape kCreateBackupInput;
extern const Shape kNameText;
extern const Shape kRegionName;
extern const Shape kReplica;
extern const Shape kReplicaList;
extern const Shape kCreateGlobalTableInput;
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
extern const Shape kTableArn;
extern const Shape kGlobalTableSettingsReplicationMode;
extern const Shape kVectorAttributeName;
extern const Shape kVectorAttributeDefinition;
extern const Shape kSearchSchemaElementType;
extern const Shape kSearchSchemaElement;
extern const Shape kSearchSchema;
extern const Shape kVectorDistanceFunction;
extern const Shape kVectorIndex;
extern const Shape kVectorIndexList;
extern const Shape kCreateTableInput;
extern const Shape kBackupArn;
extern const Shape kDeleteBackupInput;
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
extern const Shape kDeleteItemInput;
extern const Shape kResourceArnString;
extern const Shape kPolicyRevisionId;
extern const Shape kDeleteResourcePolicyInput;
extern const Shape kDeleteTableInput;
extern const Shape kDescribeBackupInput;
extern const Shape kDescribeBulkOperationInput;
extern const Shape kDescribeContinuousBackupsInput;
extern const Shape kDescribeContributorInsightsInput;
extern const Shape kDescribeEndpointsRequest;
extern const Shape kExportArn;
extern const Shape kDescribeExportInput;
extern const Shape kDescribeGlobalTableInput;
extern const Shape kDescribeGlobalTableSettingsInput;
extern const Shape kImportArn;
extern const Shape kDescribeImportInput;
extern const Shape kDescribeKinesisStreamingDestinationInput;
extern const Shape kDescribeLimitsInput;
extern const Shape kTableStreamArn;
extern const Shape kStreamPageLimit;
extern const Shape kShardId;
extern const Shape kShardFilterType;
extern const Shape kShardFilter;
extern const Shape kDescribeStreamInput;
extern const Shape kDescribeTableInput;
extern const Shape kDescribeTableReplicaAutoScalingInput;
extern const Shape kDescribeTimeToLiveInput;
extern const Shape kStreamArn;
extern const Shape kApproximateCreationDateTimePrecision;
extern const Shape kEnableKinesisStreamingConfiguration;
extern const Shape kKinesisStreamingDestinationInput;
extern const Shape kPartiQLNextToken;
extern const Shape kPositiveIntegerObject;
extern const Shape kExecuteStatementInput;
extern const Shape kParameterizedStatement;
extern const Shape kParameterizedStatements;
extern const Shape kClientRequestToken;
extern const Shape kExecuteTransactionInput;
extern const Shape kExportTableArn;
extern const Shape kExportTime;
extern const Shape kClientToken;
extern const Shape kS3Bucket;
extern const Shape kS3BucketOwner;
extern const Shape kExportPrefix;
extern const Shape kS3SseAlgorithm;
extern const Shape kS3SseKmsKeyId;
extern const Shape kExportFormat;
extern const Shape kExportType;
extern const Shape kExportFromTime;
extern const Shape kExportToTime;
extern const Shape kExportViewType;
extern const Shape kIncrementalExportSpecification;
extern const Shape kKeyExpression;
extern const Shape kFilterSpecification;
extern const Shape kExportTableToPointInTimeInput;
extern const Shape kGetItemInput;
extern const Shape kShardIterator;
extern const Shape kStreamRecordsLimit;
extern const Shape kGetRecordsInput;
extern const Shape kGetResourcePolicyInput;
extern const Shape kShardIteratorType;
extern const Shape kSequenceNumber;
extern const Shape kTimestamp;
extern const Shape kGetShardIteratorInput;
extern const Shape kS3Prefix;
extern const Shape kS3BucketSource;
extern const Shape kInputFormat;
extern const Shape kCsvDelimiter;
extern const Shape kCsvHeader;
extern const Shape kCsvHeaderList;
extern const Shape kCsvOptions;
extern const Shape kInputFormatOptions;
extern const Shape kInputCompressionType;
extern const Shape kTableCreationParameters;
extern const Shape kImportTableInput;
extern const Shape kBackupsInputLimit;
extern const Shape kTimeRangeLowerBound;
extern const Shape kTimeRangeUpperBound;
extern const Shape kBackupTypeFilter;
extern const Shape kListBackupsInput;
extern const Shape kListBulkOperationsMaxLimit;
extern const Shape kBulkOperationNextToken;
extern const Shape kListBulkOperationsInput;
extern const Shape kNextTokenString;
extern const Shape kListContributorInsightsLimit;
extern const Shape kListContributorInsightsInput;
extern const Shape kListExportsMaxLimit;
extern const Shape kExportNextToken;
extern const Shape kListExportsInput;
extern const Shape kListGlobalTablesInput;
extern const Shape kListImportsMaxLimit;
extern const Shape kImportNextToken;
extern const Shape kListImportsInput;
extern const Shape kListStreamsInput;
extern const Shape kListTablesInputLimit;
extern const Shape kListTablesInput;
extern const Shape kListTagsOfResourceInput;
extern const Shape kPutItemInput;
extern const Shape kConfirmRemoveSelfResourceAccess;
extern const Shape kPutResourcePolicyInput;
extern const Shape kSelect;
extern const Shape kCondition;
extern const Shape kKeyConditions;
extern const Shape kFilterConditionMap;
extern const Shape kQueryInput;
extern const Shape kRestoreTableFromBackupInput;
extern const Shape kDate;
extern const Shape kRestoreTableToPointInTimeInput;
extern const Shape kScanTotalSegments;
extern const Shape kScanSegment;
extern const Shape kScanInput;
extern const Shape kSearchVectorList;
extern const Shape kTopKInteger;
extern const Shape kSearchVectorsInput;
extern const Shape kBulkOperationInputFormat;
extern const Shape kInputS3Configuration;
extern const Shape kOutputTypeEnum;
extern const Shape kOutputTypeList;
extern const Shape kOutputS3Configuration;
extern const Shape kBulkOperationMaxWriteRequestUnits;
extern const Shape kBulkOperationPerformanceTier;
extern const Shape kStartBulkPutItemsInput;
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
extern const Shape kTransactWriteItemsInput;
extern const Shape kTagKeyList;
extern const Shape kUntagResourceInput;
extern const Shape kRecoveryPeriodInDays;
extern const Shape kPointInTimeRecoverySpecification;
extern const Shape kUpdateContinuousBackupsInput;
extern const Shape kContributorInsightsAction;
extern const Shape kContributorInsightsMode;
extern const Shape kUpdateContributorInsightsInput;
extern const Shape kCreateReplicaAction;
extern const Shape kDeleteReplicaAction;
extern const Shape kReplicaUpdate;
extern const Shape kReplicaUpdateList;
extern const Shape kUpdateGlobalTableInput;
extern const Shape kAutoScalingRoleArn;
extern const Shape kAutoScalingPolicyName;
extern const Shape kIntegerObject;
extern const Shape kDoubleObject;
extern const Shape kAutoScalingTargetTrackingScalingPolicyConfigurationUpdate;
extern const Shape kAutoScalingPolicyUpdate;
extern const Shape kAutoScalingSettingsUpdate;
extern const Shape kGlobalTableGlobalSecondaryIndexSettingsUpdate;
extern const Shape kGlobalTableGlobalSecondaryIndexSettingsUpdateList;
extern const Shape kReplicaGlobalSecondaryIndexSettingsUpdate;
extern const Shape kReplicaGlobalSecondaryIndexSettingsUpdateList;
extern const Shape kTableClass;
extern const Shape kReplicaSettingsUpdate;
extern const Shape kReplicaSettingsUpdateList;
extern const Shape kUpdateGlobalTableSettingsInput;
extern const Shape kAttributeAction;
extern const Shape kAttributeValueUpdate;
extern const Shape kAttributeUpdates;
extern const Shape kUpdateItemInput;
extern const Shape kUpdateKinesisStreamingConfiguration;
extern const Shape kUpdateKinesisStreamingDestinationInput;
extern const Shape kUpdateGlobalSecondaryIndexAction;
extern const Shape kCreateGlobalSecondaryIndexAction;
extern const Shape kDeleteGlobalSecondaryIndexAction;
extern const Shape kGlobalSecondaryIndexUpdate;
extern const Shape kGlobalSecondaryIndexUpdateList;
extern const Shape kProvisionedThroughputOverride;
extern const Shape kOnDemandThroughputOverride;
extern const Shape kReplicaGlobalSecondaryIndex;
extern const Shape kReplicaGlobalSecondaryIndexList;
extern const Shape kCreateReplicationGroupMemberAction;
extern const Shape kUpdateReplicationGroupMemberAction;
extern const Shape kDeleteReplicationGroupMemberAction;
extern const Shape kDisassociationMode;
extern const Shape kDisassociateReplicationGroupMemberAction;
extern const Shape kReplicationGroupUpdate;
extern const Shape kReplicationGroupUpdateList;
extern const Shape kMultiRegionConsistency;
extern const Shape kCreateGlobalTableWitnessGroupMemberAction;
extern const Shape kDeleteGlobalTableWitnessGroupMemberAction;
extern const Shape kGlobalTableWitnessGroupUpdate;
extern const Shape kGlobalTableWitnessGroupUpdateList;
extern const Shape kDisassociationProtectionEnabled;
extern const Shape kCreateVectorIndexAction;
extern const Shape kDeleteVectorIndexAction;
extern const Shape kVectorIndexUpdate;
extern const Shape kVectorIndexUpdateList;
extern const Shape kUpdateTableInput;
extern const Shape kGlobalSecondaryIndexAutoScalingUpdate;
extern const Shape kGlobalSecondaryIndexAutoScalingUpdateList;
extern const Shape kReplicaGlobalSecondaryIndexAutoScalingUpdate;
extern const Shape kReplicaGlobalSecondaryIndexAutoScalingUpdateList;
extern const Shape kReplicaAutoScalingUpdate;
extern const Shape kReplicaAutoScalingUpdateList;
extern const Shape kUpdateTableReplicaAutoScalingInput;
extern const Shape kTimeToLiveEnabled;
extern const Shape kTimeToLiveAttributeName;
extern const Shape kTimeToLiveSpecification;
extern const Shape kUpdateTimeToLiveInput;

const Shape kAttributeValue{.name = "AttributeValue", .kind = Shape::Kind::kAttributeValue};

const Shape kPartiQLStatement{.name = "PartiQLStatement", .kind = Shape::Kind::kString, .min = 1, .max = 8192};
const Shape kPreparedStatementParameters{.name = "PreparedStatementParameters", .kind = Shape::Kind::kList, .element = &kAttributeValue, .min = 1};
const Shape kConsistentRead{.name = "ConsistentRead", .kind = Shape::Kind::kBoolean};
constexpr std::string_view kReturnValuesOnConditionCheckFailureValues[] = {"ALL_OLD", "NONE"};
const Shape kReturnValuesOnConditionCheckFailure{.name = "ReturnValuesOnConditionCheckFailure", .kind = Shape::Kind::kString, .enumeration = kReturnValuesOnConditionCheckFailureValues};
constexpr Member kBatchStatementRequestMembers[] = {
    {"Statement", &kPartiQLStatement, Presence::kRequired},
    {"Parameters", &kPreparedStatementParameters, Presence::kOptional},
    {"ConsistentRead", &kConsistentRead, Presence::kOptional},
    {"ReturnValuesOnConditionCheckFailure", &kReturnValuesOnConditionCheckFailure, Presence::kOptional},
};
const Shape kBatchStatementRequest{.name = "BatchStatementRequest", .kind = Shape::Kind::kStructure, .members = kBatchStatementRequestMembers};
const Shape kPartiQLBatchRequest{.name = "PartiQLBatchRequest", .kind = Shape::Kind::kList, .element = &kBatchStatementRequest, .min = 1, .max = 25};
constexpr std::string_view kReturnConsumedCapacityValues[] = {"INDEXES", "TOTAL", "NONE"};
const Shape kReturnConsumedCapacity{.name = "ReturnConsumedCapacity", .kind = Shape::Kind::kString, .enumeration = kReturnConsumedCapacityValues};
constexpr Member kBatchExecuteStatementInputMembers[] = {
    {"Statements", &kPartiQLBatchRequest, Presence::kRequired},
    {"ReturnConsumedCapacity", &kReturnConsumedCapacity, Presence::kOptional},
};
const Shape kBatchExecuteStatementInput{.name = "BatchExecuteStatementInput", .kind = Shape::Kind::kStructure, .members = kBatchExecuteStatementInputMembers};
const Shape kTableNameOrArn{.name = "TableNameOrArn", .kind = Shape::Kind::kString, .min = 3, .max = 255, .pattern = "[a-zA-Z0-9_.-]+", .allows_arn = true};
const Shape kAttributeName{.name = "AttributeName", .kind = Shape::Kind::kString, .max = 65535};
const Shape kKey{.name = "Key", .kind = Shape::Kind::kMap, .element = &kAttributeValue, .key = &kAttributeName};
const Shape kKeyList{.name = "KeyList", .kind = Shape::Kind::kList, .element = &kKey, .min = 1, .max = 100};
const Shape kAttributeNameList{.name = "AttributeNameList", .kind = Shape::Kind::kList, .element = &kAttributeName, .min = 1};
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
const Shape kBulkOperationArn{.name = "BulkOperationArn", .kind = Shape::Kind::kString, .min = 37, .max = 1024};
constexpr Member kCancelBulkOperationInputMembers[] = {
    {"BulkOperationArn", &kBulkOperationArn, Presence::kRequired},
};
const Shape kCancelBulkOperationInput{.name = "CancelBulkOperationInput", .kind = Shape::Kind::kStructure, .members = kCancelBulkOperationInputMembers};
const Shape kBackupName{.name = "BackupName", .kind = Shape::Kind::kString, .min = 3, .max = 255, .pattern = "[a-zA-Z0-9_.-]+"};
constexpr Member kCreateBackupInputMembers[] = {
    {"TableName", &kTableNameOrArn, Presence::kRequired},
    {"BackupName", &kBackupName, Presence::kRequired},
};
const Shape kCreateBackupInput{.name = "CreateBackupInput", .kind = Shape::Kind::kStructure, .members = kCreateBackupInputMembers};
const Shape kNameText{.name = "NameText", .kind = Shape::Kind::kString};
const Shape kRegionName{.name = "RegionName", .kind = Shape::Kind::kString};
constexpr Member kReplicaMembers[] = {
    {"RegionName", &kRegionName, Presence::kOptional},
};
const Shape kReplica{.name = "Replica", .kind = Shape::Kind::kStructure, .members = kReplicaMembers};
const Shape kReplicaList{.name = "ReplicaList", .kind = Shape::Kind::kList, .element = &kReplica};
constexpr Member kCreateGlobalTableInputMembers[] = {
    {"GlobalTableName", &kNameText, Presence::kRequired},
    {"ReplicationGroup", &kReplicaList, Presence::kRequired},
};
const Shape kCreateGlobalTableInput{.name = "CreateGlobalTableInput", .kind = Shape::Kind::kStructure, .members = kCreateGlobalTableInputMembers};
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
const Shape kTableArn{.name = "TableArn", .kind = Shape::Kind::kString, .min = 1, .max = 1024};
constexpr std::string_view kGlobalTableSettingsReplicationModeValues[] = {"ENABLED", "DISABLED", "ENABLED_WITH_OVERRIDES"};
const Shape kGlobalTableSettingsReplicationMode{.name = "GlobalTableSettingsReplicationMode", .kind = Shape::Kind::kString, .enumeration = kGlobalTableSettingsReplicationModeValues};
const Shape kVectorAttributeName{.name = "VectorAttributeName", .kind = Shape::Kind::kString, .min = 1, .max = 255};
constexpr Member kVectorAttributeDefinitionMembers[] = {
    {"AttributeName", &kVectorAttributeName, Presence::kRequired},
};
const Shape kVectorAttributeDefinition{.name = "VectorAttributeDefinition", .kind = Shape::Kind::kStructure, .members = kVectorAttributeDefinitionMembers};
constexpr std::string_view kSearchSchemaElementTypeValues[] = {"HASH", "INLINE_FILTER"};
const Shape kSearchSchemaElementType{.name = "SearchSchemaElementType", .kind = Shape::Kind::kString, .enumeration = kSearchSchemaElementTypeValues};
constexpr Member kSearchSchemaElementMembers[] = {
    {"AttributeName", &kAttributeName, Presence::kRequired},
    {"SearchSchemaElementType", &kSearchSchemaElementType, Presence::kRequired},
};
const Shape kSearchSchemaElement{.name = "SearchSchemaElement", .kind = Shape::Kind::kStructure, .members = kSearchSchemaElementMembers};
const Shape kSearchSchema{.name = "SearchSchema", .kind = Shape::Kind::kList, .element = &kSearchSchemaElement, .min = 1};
constexpr std::string_view kVectorDistanceFunctionValues[] = {"COSINE", "DOT_PRODUCT", "EUCLIDEAN"};
const Shape kVectorDistanceFunction{.name = "VectorDistanceFunction", .kind = Shape::Kind::kString, .enumeration = kVectorDistanceFunctionValues};
constexpr Member kVectorIndexMembers[] = {
    {"IndexName", &kIndexName, Presence::kRequired},
    {"VectorAttribute", &kVectorAttributeDefinition, Presence::kRequired},
    {"SearchSchema", &kSearchSchema, Presence::kOptional},
    {"Projection", &kProjection, Presence::kRequired},
    {"Dimensions", &kPositiveLongObject, Presence::kRequired},
    {"DistanceFunction", &kVectorDistanceFunction, Presence::kRequired},
};
const Shape kVectorIndex{.name = "VectorIndex", .kind = Shape::Kind::kStructure, .members = kVectorIndexMembers};
const Shape kVectorIndexList{.name = "VectorIndexList", .kind = Shape::Kind::kList, .element = &kVectorIndex};
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
    {"GlobalTableSourceArn", &kTableArn, Presence::kOptional},
    {"GlobalTableSettingsReplicationMode", &kGlobalTableSettingsReplicationMode, Presence::kOptional},
    {"VectorIndexes", &kVectorIndexList, Presence::kOptional},
};
const Shape kCreateTableInput{.name = "CreateTableInput", .kind = Shape::Kind::kStructure, .members = kCreateTableInputMembers};
const Shape kBackupArn{.name = "BackupArn", .kind = Shape::Kind::kString, .min = 37, .max = 1024};
constexpr Member kDeleteBackupInputMembers[] = {
    {"BackupArn", &kBackupArn, Presence::kRequired},
};
const Shape kDeleteBackupInput{.name = "DeleteBackupInput", .kind = Shape::Kind::kStructure, .members = kDeleteBackupInputMembers};
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
const Shape kResourceArnString{.name = "ResourceArnString", .kind = Shape::Kind::kString, .min = 1, .max = 1283};
const Shape kPolicyRevisionId{.name = "PolicyRevisionId", .kind = Shape::Kind::kString, .min = 1, .max = 255};
constexpr Member kDeleteResourcePolicyInputMembers[] = {
    {"ResourceArn", &kResourceArnString, Presence::kRequired},
    {"ExpectedRevisionId", &kPolicyRevisionId, Presence::kOptional},
};
const Shape kDeleteResourcePolicyInput{.name = "DeleteResourcePolicyInput", .kind = Shape::Kind::kStructure, .members = kDeleteResourcePolicyInputMembers};
constexpr Member kDeleteTableInputMembers[] = {
    {"TableName", &kTableNameOrArn, Presence::kParameter},
};
const Shape kDeleteTableInput{.name = "DeleteTableInput", .kind = Shape::Kind::kStructure, .members = kDeleteTableInputMembers};
constexpr Member kDescribeBackupInputMembers[] = {
    {"BackupArn", &kBackupArn, Presence::kRequired},
};
const Shape kDescribeBackupInput{.name = "DescribeBackupInput", .kind = Shape::Kind::kStructure, .members = kDescribeBackupInputMembers};
constexpr Member kDescribeBulkOperationInputMembers[] = {
    {"BulkOperationArn", &kBulkOperationArn, Presence::kRequired},
};
const Shape kDescribeBulkOperationInput{.name = "DescribeBulkOperationInput", .kind = Shape::Kind::kStructure, .members = kDescribeBulkOperationInputMembers};
constexpr Member kDescribeContinuousBackupsInputMembers[] = {
    {"TableName", &kTableNameOrArn, Presence::kRequired},
};
const Shape kDescribeContinuousBackupsInput{.name = "DescribeContinuousBackupsInput", .kind = Shape::Kind::kStructure, .members = kDescribeContinuousBackupsInputMembers};
constexpr Member kDescribeContributorInsightsInputMembers[] = {
    {"TableName", &kTableNameOrArn, Presence::kRequired},
    {"IndexName", &kNameText, Presence::kOptional},
};
const Shape kDescribeContributorInsightsInput{.name = "DescribeContributorInsightsInput", .kind = Shape::Kind::kStructure, .members = kDescribeContributorInsightsInputMembers};
const Shape kDescribeEndpointsRequest{.name = "DescribeEndpointsRequest", .kind = Shape::Kind::kStructure};
const Shape kExportArn{.name = "ExportArn", .kind = Shape::Kind::kString, .min = 37, .max = 1024};
constexpr Member kDescribeExportInputMembers[] = {
    {"ExportArn", &kExportArn, Presence::kRequired},
};
const Shape kDescribeExportInput{.name = "DescribeExportInput", .kind = Shape::Kind::kStructure, .members = kDescribeExportInputMembers};
constexpr Member kDescribeGlobalTableInputMembers[] = {
    {"GlobalTableName", &kNameText, Presence::kRequired},
};
const Shape kDescribeGlobalTableInput{.name = "DescribeGlobalTableInput", .kind = Shape::Kind::kStructure, .members = kDescribeGlobalTableInputMembers};
constexpr Member kDescribeGlobalTableSettingsInputMembers[] = {
    {"GlobalTableName", &kNameText, Presence::kRequired},
};
const Shape kDescribeGlobalTableSettingsInput{.name = "DescribeGlobalTableSettingsInput", .kind = Shape::Kind::kStructure, .members = kDescribeGlobalTableSettingsInputMembers};
const Shape kImportArn{.name = "ImportArn", .kind = Shape::Kind::kString, .min = 37, .max = 1024};
constexpr Member kDescribeImportInputMembers[] = {
    {"ImportArn", &kImportArn, Presence::kRequired},
};
const Shape kDescribeImportInput{.name = "DescribeImportInput", .kind = Shape::Kind::kStructure, .members = kDescribeImportInputMembers};
constexpr Member kDescribeKinesisStreamingDestinationInputMembers[] = {
    {"TableName", &kTableNameOrArn, Presence::kRequired},
};
const Shape kDescribeKinesisStreamingDestinationInput{.name = "DescribeKinesisStreamingDestinationInput", .kind = Shape::Kind::kStructure, .members = kDescribeKinesisStreamingDestinationInputMembers};
const Shape kDescribeLimitsInput{.name = "DescribeLimitsInput", .kind = Shape::Kind::kStructure};
const Shape kTableStreamArn{.name = "TableStreamArn", .kind = Shape::Kind::kString, .min = 1, .max = 1024};
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
    {"StreamArn", &kTableStreamArn, Presence::kRequired},
    {"Limit", &kStreamPageLimit, Presence::kOptional},
    {"ExclusiveStartShardId", &kShardId, Presence::kOptional},
    {"ShardFilter", &kShardFilter, Presence::kOptional},
};
const Shape kDescribeStreamInput{.name = "DescribeStreamInput", .kind = Shape::Kind::kStructure, .members = kDescribeStreamInputMembers};
constexpr Member kDescribeTableInputMembers[] = {
    {"TableName", &kTableNameOrArn, Presence::kParameter},
};
const Shape kDescribeTableInput{.name = "DescribeTableInput", .kind = Shape::Kind::kStructure, .members = kDescribeTableInputMembers};
constexpr Member kDescribeTableReplicaAutoScalingInputMembers[] = {
    {"TableName", &kTableNameOrArn, Presence::kRequired},
};
const Shape kDescribeTableReplicaAutoScalingInput{.name = "DescribeTableReplicaAutoScalingInput", .kind = Shape::Kind::kStructure, .members = kDescribeTableReplicaAutoScalingInputMembers};
constexpr Member kDescribeTimeToLiveInputMembers[] = {
    {"TableName", &kTableNameOrArn, Presence::kRequired},
};
const Shape kDescribeTimeToLiveInput{.name = "DescribeTimeToLiveInput", .kind = Shape::Kind::kStructure, .members = kDescribeTimeToLiveInputMembers};
const Shape kStreamArn{.name = "StreamArn", .kind = Shape::Kind::kString, .min = 37, .max = 1024};
constexpr std::string_view kApproximateCreationDateTimePrecisionValues[] = {"MILLISECOND", "MICROSECOND"};
const Shape kApproximateCreationDateTimePrecision{.name = "ApproximateCreationDateTimePrecision", .kind = Shape::Kind::kString, .enumeration = kApproximateCreationDateTimePrecisionValues};
constexpr Member kEnableKinesisStreamingConfigurationMembers[] = {
    {"ApproximateCreationDateTimePrecision", &kApproximateCreationDateTimePrecision, Presence::kOptional},
};
const Shape kEnableKinesisStreamingConfiguration{.name = "EnableKinesisStreamingConfiguration", .kind = Shape::Kind::kStructure, .members = kEnableKinesisStreamingConfigurationMembers};
constexpr Member kKinesisStreamingDestinationInputMembers[] = {
    {"TableName", &kTableNameOrArn, Presence::kRequired},
    {"StreamArn", &kStreamArn, Presence::kRequired},
    {"EnableKinesisStreamingConfiguration", &kEnableKinesisStreamingConfiguration, Presence::kOptional},
};
const Shape kKinesisStreamingDestinationInput{.name = "KinesisStreamingDestinationInput", .kind = Shape::Kind::kStructure, .members = kKinesisStreamingDestinationInputMembers};
const Shape kPartiQLNextToken{.name = "PartiQLNextToken", .kind = Shape::Kind::kString, .min = 1, .max = 32768};
const Shape kPositiveIntegerObject{.name = "PositiveIntegerObject", .kind = Shape::Kind::kInteger, .min = 1};
constexpr Member kExecuteStatementInputMembers[] = {
    {"Statement", &kPartiQLStatement, Presence::kRequired},
    {"Parameters", &kPreparedStatementParameters, Presence::kOptional},
    {"ConsistentRead", &kConsistentRead, Presence::kOptional},
    {"NextToken", &kPartiQLNextToken, Presence::kOptional},
    {"ReturnConsumedCapacity", &kReturnConsumedCapacity, Presence::kOptional},
    {"Limit", &kPositiveIntegerObject, Presence::kOptional},
    {"ReturnValuesOnConditionCheckFailure", &kReturnValuesOnConditionCheckFailure, Presence::kOptional},
};
const Shape kExecuteStatementInput{.name = "ExecuteStatementInput", .kind = Shape::Kind::kStructure, .members = kExecuteStatementInputMembers};
constexpr Member kParameterizedStatementMembers[] = {
    {"Statement", &kPartiQLStatement, Presence::kRequired},
    {"Parameters", &kPreparedStatementParameters, Presence::kOptional},
    {"ReturnValuesOnConditionCheckFailure", &kReturnValuesOnConditionCheckFailure, Presence::kOptional},
};
const Shape kParameterizedStatement{.name = "ParameterizedStatement", .kind = Shape::Kind::kStructure, .members = kParameterizedStatementMembers};
const Shape kParameterizedStatements{.name = "ParameterizedStatements", .kind = Shape::Kind::kList, .element = &kParameterizedStatement, .min = 1, .max = 100};
const Shape kClientRequestToken{.name = "ClientRequestToken", .kind = Shape::Kind::kString, .min = 1, .max = 36};
constexpr Member kExecuteTransactionInputMembers[] = {
    {"TransactStatements", &kParameterizedStatements, Presence::kRequired},
    {"ClientRequestToken", &kClientRequestToken, Presence::kOptional},
    {"ReturnConsumedCapacity", &kReturnConsumedCapacity, Presence::kOptional},
};
const Shape kExecuteTransactionInput{.name = "ExecuteTransactionInput", .kind = Shape::Kind::kStructure, .members = kExecuteTransactionInputMembers};
const Shape kExportTableArn{.name = "ExportTableArn", .kind = Shape::Kind::kString, .max = 1024};
const Shape kExportTime{.name = "ExportTime", .kind = Shape::Kind::kDouble};
const Shape kClientToken{.name = "ClientToken", .kind = Shape::Kind::kString, .pattern = "^[^\\$]+$"};
const Shape kS3Bucket{.name = "S3Bucket", .kind = Shape::Kind::kString, .max = 255, .pattern = "^[a-z0-9A-Z]+[\\.\\-\\w]*[a-z0-9A-Z]+$"};
const Shape kS3BucketOwner{.name = "S3BucketOwner", .kind = Shape::Kind::kString, .pattern = "[0-9]{12}"};
const Shape kExportPrefix{.name = "ExportPrefix", .kind = Shape::Kind::kString, .min = 1, .max = 1024};
constexpr std::string_view kS3SseAlgorithmValues[] = {"AES256", "KMS"};
const Shape kS3SseAlgorithm{.name = "S3SseAlgorithm", .kind = Shape::Kind::kString, .enumeration = kS3SseAlgorithmValues};
const Shape kS3SseKmsKeyId{.name = "S3SseKmsKeyId", .kind = Shape::Kind::kString, .min = 1, .max = 2048};
constexpr std::string_view kExportFormatValues[] = {"DYNAMODB_JSON", "ION"};
const Shape kExportFormat{.name = "ExportFormat", .kind = Shape::Kind::kString, .enumeration = kExportFormatValues};
constexpr std::string_view kExportTypeValues[] = {"FULL_EXPORT", "INCREMENTAL_EXPORT"};
const Shape kExportType{.name = "ExportType", .kind = Shape::Kind::kString, .enumeration = kExportTypeValues};
const Shape kExportFromTime{.name = "ExportFromTime", .kind = Shape::Kind::kDouble};
const Shape kExportToTime{.name = "ExportToTime", .kind = Shape::Kind::kDouble};
constexpr std::string_view kExportViewTypeValues[] = {"NEW_IMAGE", "NEW_AND_OLD_IMAGES"};
const Shape kExportViewType{.name = "ExportViewType", .kind = Shape::Kind::kString, .enumeration = kExportViewTypeValues};
constexpr Member kIncrementalExportSpecificationMembers[] = {
    {"ExportFromTime", &kExportFromTime, Presence::kOptional},
    {"ExportToTime", &kExportToTime, Presence::kOptional},
    {"ExportViewType", &kExportViewType, Presence::kOptional},
};
const Shape kIncrementalExportSpecification{.name = "IncrementalExportSpecification", .kind = Shape::Kind::kStructure, .members = kIncrementalExportSpecificationMembers};
const Shape kKeyExpression{.name = "KeyExpression", .kind = Shape::Kind::kString};
constexpr Member kFilterSpecificationMembers[] = {
    {"FilterExpression", &kConditionExpression, Presence::kOptional},
    {"ProjectionExpression", &kProjectionExpression, Presence::kOptional},
    {"KeyConditionExpression", &kKeyExpression, Presence::kOptional},
    {"ExpressionAttributeNames", &kExpressionAttributeNameMap, Presence::kOptional},
    {"ExpressionAttributeValues", &kExpressionAttributeValueMap, Presence::kOptional},
};
const Shape kFilterSpecification{.name = "FilterSpecification", .kind = Shape::Kind::kStructure, .members = kFilterSpecificationMembers};
constexpr Member kExportTableToPointInTimeInputMembers[] = {
    {"TableArn", &kExportTableArn, Presence::kRequired},
    {"ExportTime", &kExportTime, Presence::kOptional},
    {"ClientToken", &kClientToken, Presence::kOptional},
    {"S3Bucket", &kS3Bucket, Presence::kRequired},
    {"S3BucketOwner", &kS3BucketOwner, Presence::kOptional},
    {"S3Prefix", &kExportPrefix, Presence::kOptional},
    {"S3SseAlgorithm", &kS3SseAlgorithm, Presence::kOptional},
    {"S3SseKmsKeyId", &kS3SseKmsKeyId, Presence::kOptional},
    {"ExportFormat", &kExportFormat, Presence::kOptional},
    {"ExportType", &kExportType, Presence::kOptional},
    {"IncrementalExportSpecification", &kIncrementalExportSpecification, Presence::kOptional},
    {"FilterSpecification", &kFilterSpecification, Presence::kOptional},
};
const Shape kExportTableToPointInTimeInput{.name = "ExportTableToPointInTimeInput", .kind = Shape::Kind::kStructure, .members = kExportTableToPointInTimeInputMembers};
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
constexpr Member kGetResourcePolicyInputMembers[] = {
    {"ResourceArn", &kResourceArnString, Presence::kRequired},
};
const Shape kGetResourcePolicyInput{.name = "GetResourcePolicyInput", .kind = Shape::Kind::kStructure, .members = kGetResourcePolicyInputMembers};
constexpr std::string_view kShardIteratorTypeValues[] = {"TRIM_HORIZON", "LATEST", "AT_SEQUENCE_NUMBER", "AFTER_SEQUENCE_NUMBER", "AT_TIMESTAMP"};
const Shape kShardIteratorType{.name = "ShardIteratorType", .kind = Shape::Kind::kString, .enumeration = kShardIteratorTypeValues};
const Shape kSequenceNumber{.name = "SequenceNumber", .kind = Shape::Kind::kString, .min = 21, .max = 40};
const Shape kTimestamp{.name = "Timestamp", .kind = Shape::Kind::kDouble};
constexpr Member kGetShardIteratorInputMembers[] = {
    {"StreamArn", &kTableStreamArn, Presence::kRequired},
    {"ShardId", &kShardId, Presence::kRequired},
    {"ShardIteratorType", &kShardIteratorType, Presence::kRequired},
    {"SequenceNumber", &kSequenceNumber, Presence::kOptional},
    {"Timestamp", &kTimestamp, Presence::kOptional},
};
const Shape kGetShardIteratorInput{.name = "GetShardIteratorInput", .kind = Shape::Kind::kStructure, .members = kGetShardIteratorInputMembers};
const Shape kS3Prefix{.name = "S3Prefix", .kind = Shape::Kind::kString, .max = 1024};
constexpr Member kS3BucketSourceMembers[] = {
    {"S3BucketOwner", &kS3BucketOwner, Presence::kOptional},
    {"S3Bucket", &kS3Bucket, Presence::kRequired},
    {"S3KeyPrefix", &kS3Prefix, Presence::kOptional},
};
const Shape kS3BucketSource{.name = "S3BucketSource", .kind = Shape::Kind::kStructure, .members = kS3BucketSourceMembers};
constexpr std::string_view kInputFormatValues[] = {"DYNAMODB_JSON", "ION", "CSV"};
const Shape kInputFormat{.name = "InputFormat", .kind = Shape::Kind::kString, .enumeration = kInputFormatValues};
const Shape kCsvDelimiter{.name = "CsvDelimiter", .kind = Shape::Kind::kString, .min = 1, .max = 1, .pattern = "[,;:|\\t ]"};
const Shape kCsvHeader{.name = "CsvHeader", .kind = Shape::Kind::kString, .min = 1, .max = 65536, .pattern = "[\\x20-\\x21\\x23-\\x2B\\x2D-\\x7E]*"};
const Shape kCsvHeaderList{.name = "CsvHeaderList", .kind = Shape::Kind::kList, .element = &kCsvHeader, .min = 1, .max = 255};
constexpr Member kCsvOptionsMembers[] = {
    {"Delimiter", &kCsvDelimiter, Presence::kOptional},
    {"HeaderList", &kCsvHeaderList, Presence::kOptional},
};
const Shape kCsvOptions{.name = "CsvOptions", .kind = Shape::Kind::kStructure, .members = kCsvOptionsMembers};
constexpr Member kInputFormatOptionsMembers[] = {
    {"Csv", &kCsvOptions, Presence::kOptional},
};
const Shape kInputFormatOptions{.name = "InputFormatOptions", .kind = Shape::Kind::kStructure, .members = kInputFormatOptionsMembers};
constexpr std::string_view kInputCompressionTypeValues[] = {"GZIP", "ZSTD", "NONE"};
const Shape kInputCompressionType{.name = "InputCompressionType", .kind = Shape::Kind::kString, .enumeration = kInputCompressionTypeValues};
constexpr Member kTableCreationParametersMembers[] = {
    {"TableName", &kTableName, Presence::kRequired},
    {"AttributeDefinitions", &kAttributeDefinitions, Presence::kRequired},
    {"KeySchema", &kTableKeySchema, Presence::kRequired},
    {"BillingMode", &kBillingMode, Presence::kOptional},
    {"ProvisionedThroughput", &kProvisionedThroughput, Presence::kOptional},
    {"OnDemandThroughput", &kOnDemandThroughput, Presence::kOptional},
    {"SSESpecification", &kSSESpecification, Presence::kOptional},
    {"GlobalSecondaryIndexes", &kGlobalSecondaryIndexList, Presence::kOptional},
    {"VectorIndexes", &kVectorIndexList, Presence::kOptional},
};
const Shape kTableCreationParameters{.name = "TableCreationParameters", .kind = Shape::Kind::kStructure, .members = kTableCreationParametersMembers};
constexpr Member kImportTableInputMembers[] = {
    {"ClientToken", &kClientToken, Presence::kRequired},
    {"S3BucketSource", &kS3BucketSource, Presence::kRequired},
    {"InputFormat", &kInputFormat, Presence::kRequired},
    {"InputFormatOptions", &kInputFormatOptions, Presence::kOptional},
    {"InputCompressionType", &kInputCompressionType, Presence::kOptional},
    {"TableCreationParameters", &kTableCreationParameters, Presence::kRequired},
};
const Shape kImportTableInput{.name = "ImportTableInput", .kind = Shape::Kind::kStructure, .members = kImportTableInputMembers};
const Shape kBackupsInputLimit{.name = "BackupsInputLimit", .kind = Shape::Kind::kInteger, .min = 1, .max = 100};
const Shape kTimeRangeLowerBound{.name = "TimeRangeLowerBound", .kind = Shape::Kind::kDouble};
const Shape kTimeRangeUpperBound{.name = "TimeRangeUpperBound", .kind = Shape::Kind::kDouble};
constexpr std::string_view kBackupTypeFilterValues[] = {"USER", "SYSTEM", "AWS_BACKUP", "ALL"};
const Shape kBackupTypeFilter{.name = "BackupTypeFilter", .kind = Shape::Kind::kString, .enumeration = kBackupTypeFilterValues};
constexpr Member kListBackupsInputMembers[] = {
    {"TableName", &kTableNameOrArn, Presence::kOptional},
    {"Limit", &kBackupsInputLimit, Presence::kOptional},
    {"TimeRangeLowerBound", &kTimeRangeLowerBound, Presence::kOptional},
    {"TimeRangeUpperBound", &kTimeRangeUpperBound, Presence::kOptional},
    {"ExclusiveStartBackupArn", &kBackupArn, Presence::kOptional},
    {"BackupType", &kBackupTypeFilter, Presence::kOptional},
};
const Shape kListBackupsInput{.name = "ListBackupsInput", .kind = Shape::Kind::kStructure, .members = kListBackupsInputMembers};
const Shape kListBulkOperationsMaxLimit{.name = "ListBulkOperationsMaxLimit", .kind = Shape::Kind::kInteger, .min = 1, .max = 25};
const Shape kBulkOperationNextToken{.name = "BulkOperationNextToken", .kind = Shape::Kind::kString, .min = 1, .max = 1024, .pattern = "([0-9a-f]{16})+"};
constexpr Member kListBulkOperationsInputMembers[] = {
    {"MaxResults", &kListBulkOperationsMaxLimit, Presence::kOptional},
    {"NextToken", &kBulkOperationNextToken, Presence::kOptional},
};
const Shape kListBulkOperationsInput{.name = "ListBulkOperationsInput", .kind = Shape::Kind::kStructure, .members = kListBulkOperationsInputMembers};
const Shape kNextTokenString{.name = "NextTokenString", .kind = Shape::Kind::kString};
const Shape kListContributorInsightsLimit{.name = "ListContributorInsightsLimit", .kind = Shape::Kind::kInteger, .max = 100};
constexpr Member kListContributorInsightsInputMembers[] = {
    {"TableName", &kTableNameOrArn, Presence::kOptional},
    {"NextToken", &kNextTokenString, Presence::kOptional},
    {"MaxResults", &kListContributorInsightsLimit, Presence::kOptional},
};
const Shape kListContributorInsightsInput{.name = "ListContributorInsightsInput", .kind = Shape::Kind::kStructure, .members = kListContributorInsightsInputMembers};
const Shape kListExportsMaxLimit{.name = "ListExportsMaxLimit", .kind = Shape::Kind::kInteger, .min = 1, .max = 25};
const Shape kExportNextToken{.name = "ExportNextToken", .kind = Shape::Kind::kString};
constexpr Member kListExportsInputMembers[] = {
    {"TableArn", &kTableArn, Presence::kOptional},
    {"MaxResults", &kListExportsMaxLimit, Presence::kOptional},
    {"NextToken", &kExportNextToken, Presence::kOptional},
};
const Shape kListExportsInput{.name = "ListExportsInput", .kind = Shape::Kind::kStructure, .members = kListExportsInputMembers};
constexpr Member kListGlobalTablesInputMembers[] = {
    {"ExclusiveStartGlobalTableName", &kTableName, Presence::kOptional},
    {"Limit", &kPositiveIntegerObject, Presence::kOptional},
    {"RegionName", &kRegionName, Presence::kOptional},
};
const Shape kListGlobalTablesInput{.name = "ListGlobalTablesInput", .kind = Shape::Kind::kStructure, .members = kListGlobalTablesInputMembers};
const Shape kListImportsMaxLimit{.name = "ListImportsMaxLimit", .kind = Shape::Kind::kInteger, .min = 1, .max = 25};
const Shape kImportNextToken{.name = "ImportNextToken", .kind = Shape::Kind::kString, .min = 112, .max = 1024, .pattern = "([0-9a-f]{16})+"};
constexpr Member kListImportsInputMembers[] = {
    {"TableArn", &kTableArn, Presence::kOptional},
    {"PageSize", &kListImportsMaxLimit, Presence::kOptional},
    {"NextToken", &kImportNextToken, Presence::kOptional},
};
const Shape kListImportsInput{.name = "ListImportsInput", .kind = Shape::Kind::kStructure, .members = kListImportsInputMembers};
constexpr Member kListStreamsInputMembers[] = {
    {"TableName", &kTableName, Presence::kOptional},
    {"Limit", &kStreamPageLimit, Presence::kOptional},
    {"ExclusiveStartStreamArn", &kTableStreamArn, Presence::kOptional},
};
const Shape kListStreamsInput{.name = "ListStreamsInput", .kind = Shape::Kind::kStructure, .members = kListStreamsInputMembers};
const Shape kListTablesInputLimit{.name = "ListTablesInputLimit", .kind = Shape::Kind::kInteger, .min = 1, .max = 100};
constexpr Member kListTablesInputMembers[] = {
    {"ExclusiveStartTableName", &kTableName, Presence::kOptional},
    {"Limit", &kListTablesInputLimit, Presence::kOptional},
};
const Shape kListTablesInput{.name = "ListTablesInput", .kind = Shape::Kind::kStructure, .members = kListTablesInputMembers};
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
const Shape kConfirmRemoveSelfResourceAccess{.name = "ConfirmRemoveSelfResourceAccess", .kind = Shape::Kind::kBoolean};
constexpr Member kPutResourcePolicyInputMembers[] = {
    {"ResourceArn", &kResourceArnString, Presence::kRequired},
    {"Policy", &kResourcePolicy, Presence::kRequired},
    {"ExpectedRevisionId", &kPolicyRevisionId, Presence::kOptional},
    {"ConfirmRemoveSelfResourceAccess", &kConfirmRemoveSelfResourceAccess, Presence::kOptional},
};
const Shape kPutResourcePolicyInput{.name = "PutResourcePolicyInput", .kind = Shape::Kind::kStructure, .members = kPutResourcePolicyInputMembers};
constexpr std::string_view kSelectValues[] = {"SPECIFIC_ATTRIBUTES", "COUNT", "ALL_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES"};
const Shape kSelect{.name = "Select", .kind = Shape::Kind::kString, .enumeration = kSelectValues};
constexpr Member kConditionMembers[] = {
    {"AttributeValueList", &kAttributeValueList, Presence::kOptional},
    {"ComparisonOperator", &kComparisonOperator, Presence::kRequired},
};
const Shape kCondition{.name = "Condition", .kind = Shape::Kind::kStructure, .members = kConditionMembers};
const Shape kKeyConditions{.name = "KeyConditions", .kind = Shape::Kind::kMap, .element = &kCondition, .key = &kAttributeName};
const Shape kFilterConditionMap{.name = "FilterConditionMap", .kind = Shape::Kind::kMap, .element = &kCondition, .key = &kAttributeName};
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
constexpr Member kRestoreTableFromBackupInputMembers[] = {
    {"TargetTableName", &kNameText, Presence::kRequired},
    {"BackupArn", &kBackupArn, Presence::kRequired},
    {"BillingModeOverride", &kBillingMode, Presence::kOptional},
    {"GlobalSecondaryIndexOverride", &kGlobalSecondaryIndexList, Presence::kOptional},
    {"LocalSecondaryIndexOverride", &kLocalSecondaryIndexList, Presence::kOptional},
    {"ProvisionedThroughputOverride", &kProvisionedThroughput, Presence::kOptional},
    {"OnDemandThroughputOverride", &kOnDemandThroughput, Presence::kOptional},
    {"SSESpecificationOverride", &kSSESpecification, Presence::kOptional},
    {"VectorIndexOverride", &kVectorIndexList, Presence::kOptional},
};
const Shape kRestoreTableFromBackupInput{.name = "RestoreTableFromBackupInput", .kind = Shape::Kind::kStructure, .members = kRestoreTableFromBackupInputMembers};
const Shape kDate{.name = "Date", .kind = Shape::Kind::kDouble};
constexpr Member kRestoreTableToPointInTimeInputMembers[] = {
    {"SourceTableArn", &kTableArn, Presence::kOptional},
    {"SourceTableName", &kTableName, Presence::kOptional},
    {"TargetTableName", &kTableName, Presence::kRequired},
    {"UseLatestRestorableTime", &kBooleanObject, Presence::kOptional},
    {"RestoreDateTime", &kDate, Presence::kOptional},
    {"BillingModeOverride", &kBillingMode, Presence::kOptional},
    {"GlobalSecondaryIndexOverride", &kGlobalSecondaryIndexList, Presence::kOptional},
    {"LocalSecondaryIndexOverride", &kLocalSecondaryIndexList, Presence::kOptional},
    {"ProvisionedThroughputOverride", &kProvisionedThroughput, Presence::kOptional},
    {"OnDemandThroughputOverride", &kOnDemandThroughput, Presence::kOptional},
    {"SSESpecificationOverride", &kSSESpecification, Presence::kOptional},
    {"VectorIndexOverride", &kVectorIndexList, Presence::kOptional},
};
const Shape kRestoreTableToPointInTimeInput{.name = "RestoreTableToPointInTimeInput", .kind = Shape::Kind::kStructure, .members = kRestoreTableToPointInTimeInputMembers};
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
const Shape kSearchVectorList{.name = "SearchVectorList", .kind = Shape::Kind::kList, .element = &kAttributeValue, .min = 1, .max = 4096};
const Shape kTopKInteger{.name = "TopKInteger", .kind = Shape::Kind::kInteger, .min = 1};
constexpr Member kSearchVectorsInputMembers[] = {
    {"TableName", &kItemTableName, Presence::kRequired},
    {"IndexName", &kIndexName, Presence::kRequired},
    {"ReturnConsumedCapacity", &kReturnConsumedCapacity, Presence::kOptional},
    {"ExpressionAttributeNames", &kExpressionAttributeNameMap, Presence::kOptional},
    {"ExpressionAttributeValues", &kExpressionAttributeValueMap, Presence::kOptional},
    {"ProjectionExpression", &kProjectionExpression, Presence::kOptional},
    {"SearchVector", &kSearchVectorList, Presence::kRequired},
    {"SearchConditionExpression", &kString, Presence::kOptional},
    {"TopK", &kTopKInteger, Presence::kRequired},
};
const Shape kSearchVectorsInput{.name = "SearchVectorsInput", .kind = Shape::Kind::kStructure, .members = kSearchVectorsInputMembers};
constexpr std::string_view kBulkOperationInputFormatValues[] = {"DYNAMODB_JSON", "ION"};
const Shape kBulkOperationInputFormat{.name = "BulkOperationInputFormat", .kind = Shape::Kind::kString, .enumeration = kBulkOperationInputFormatValues};
constexpr Member kInputS3ConfigurationMembers[] = {
    {"S3BucketOwner", &kS3BucketOwner, Presence::kOptional},
    {"S3Bucket", &kS3Bucket, Presence::kRequired},
    {"S3KeyPrefix", &kS3Prefix, Presence::kOptional},
    {"InputFormat", &kBulkOperationInputFormat, Presence::kRequired},
    {"InputCompressionType", &kInputCompressionType, Presence::kOptional},
};
const Shape kInputS3Configuration{.name = "InputS3Configuration", .kind = Shape::Kind::kStructure, .members = kInputS3ConfigurationMembers};
constexpr std::string_view kOutputTypeEnumValues[] = {"ERROR", "CONDITION_CHECK_FAILURE"};
const Shape kOutputTypeEnum{.name = "OutputTypeEnum", .kind = Shape::Kind::kString, .enumeration = kOutputTypeEnumValues};
const Shape kOutputTypeList{.name = "OutputTypeList", .kind = Shape::Kind::kList, .element = &kOutputTypeEnum};
constexpr Member kOutputS3ConfigurationMembers[] = {
    {"S3BucketOwner", &kS3BucketOwner, Presence::kOptional},
    {"S3Bucket", &kS3Bucket, Presence::kOptional},
    {"S3KeyPrefix", &kS3Prefix, Presence::kOptional},
    {"S3SseAlgorithm", &kS3SseAlgorithm, Presence::kOptional},
    {"S3SseKmsKeyId", &kS3SseKmsKeyId, Presence::kOptional},
    {"OutputType", &kOutputTypeList, Presence::kRequired},
};
const Shape kOutputS3Configuration{.name = "OutputS3Configuration", .kind = Shape::Kind::kStructure, .members = kOutputS3ConfigurationMembers};
const Shape kBulkOperationMaxWriteRequestUnits{.name = "BulkOperationMaxWriteRequestUnits", .kind = Shape::Kind::kLong, .min = 1024};
constexpr std::string_view kBulkOperationPerformanceTierValues[] = {"STANDARD", "ACCELERATED"};
const Shape kBulkOperationPerformanceTier{.name = "BulkOperationPerformanceTier", .kind = Shape::Kind::kString, .enumeration = kBulkOperationPerformanceTierValues};
constexpr Member kStartBulkPutItemsInputMembers[] = {
    {"ClientToken", &kClientToken, Presence::kOptional},
    {"InputS3Configuration", &kInputS3Configuration, Presence::kRequired},
    {"OutputS3Configuration", &kOutputS3Configuration, Presence::kRequired},
    {"TableName", &kTableNameOrArn, Presence::kRequired},
    {"MaxWriteRequestUnits", &kBulkOperationMaxWriteRequestUnits, Presence::kOptional},
    {"PerformanceTier", &kBulkOperationPerformanceTier, Presence::kOptional},
};
const Shape kStartBulkPutItemsInput{.name = "StartBulkPutItemsInput", .kind = Shape::Kind::kStructure, .members = kStartBulkPutItemsInputMembers};
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
const Shape kRecoveryPeriodInDays{.name = "RecoveryPeriodInDays", .kind = Shape::Kind::kInteger, .min = 1, .max = 35};
constexpr Member kPointInTimeRecoverySpecificationMembers[] = {
    {"PointInTimeRecoveryEnabled", &kBooleanObject, Presence::kRequired},
    {"RecoveryPeriodInDays", &kRecoveryPeriodInDays, Presence::kOptional},
};
const Shape kPointInTimeRecoverySpecification{.name = "PointInTimeRecoverySpecification", .kind = Shape::Kind::kStructure, .members = kPointInTimeRecoverySpecificationMembers};
constexpr Member kUpdateContinuousBackupsInputMembers[] = {
    {"TableName", &kTableNameOrArn, Presence::kRequired},
    {"PointInTimeRecoverySpecification", &kPointInTimeRecoverySpecification, Presence::kRequired},
};
const Shape kUpdateContinuousBackupsInput{.name = "UpdateContinuousBackupsInput", .kind = Shape::Kind::kStructure, .members = kUpdateContinuousBackupsInputMembers};
constexpr std::string_view kContributorInsightsActionValues[] = {"ENABLE", "DISABLE"};
const Shape kContributorInsightsAction{.name = "ContributorInsightsAction", .kind = Shape::Kind::kString, .enumeration = kContributorInsightsActionValues};
constexpr std::string_view kContributorInsightsModeValues[] = {"ACCESSED_AND_THROTTLED_KEYS", "THROTTLED_KEYS"};
const Shape kContributorInsightsMode{.name = "ContributorInsightsMode", .kind = Shape::Kind::kString, .enumeration = kContributorInsightsModeValues};
constexpr Member kUpdateContributorInsightsInputMembers[] = {
    {"TableName", &kTableNameOrArn, Presence::kRequired},
    {"IndexName", &kNameText, Presence::kOptional},
    {"ContributorInsightsAction", &kContributorInsightsAction, Presence::kRequired},
    {"ContributorInsightsMode", &kContributorInsightsMode, Presence::kOptional},
};
const Shape kUpdateContributorInsightsInput{.name = "UpdateContributorInsightsInput", .kind = Shape::Kind::kStructure, .members = kUpdateContributorInsightsInputMembers};
constexpr Member kCreateReplicaActionMembers[] = {
    {"RegionName", &kRegionName, Presence::kRequired},
};
const Shape kCreateReplicaAction{.name = "CreateReplicaAction", .kind = Shape::Kind::kStructure, .members = kCreateReplicaActionMembers};
constexpr Member kDeleteReplicaActionMembers[] = {
    {"RegionName", &kRegionName, Presence::kRequired},
};
const Shape kDeleteReplicaAction{.name = "DeleteReplicaAction", .kind = Shape::Kind::kStructure, .members = kDeleteReplicaActionMembers};
constexpr Member kReplicaUpdateMembers[] = {
    {"Create", &kCreateReplicaAction, Presence::kOptional},
    {"Delete", &kDeleteReplicaAction, Presence::kOptional},
};
const Shape kReplicaUpdate{.name = "ReplicaUpdate", .kind = Shape::Kind::kStructure, .members = kReplicaUpdateMembers};
const Shape kReplicaUpdateList{.name = "ReplicaUpdateList", .kind = Shape::Kind::kList, .element = &kReplicaUpdate};
constexpr Member kUpdateGlobalTableInputMembers[] = {
    {"GlobalTableName", &kNameText, Presence::kRequired},
    {"ReplicaUpdates", &kReplicaUpdateList, Presence::kRequired},
};
const Shape kUpdateGlobalTableInput{.name = "UpdateGlobalTableInput", .kind = Shape::Kind::kStructure, .members = kUpdateGlobalTableInputMembers};
const Shape kAutoScalingRoleArn{.name = "AutoScalingRoleArn", .kind = Shape::Kind::kString, .min = 1, .max = 1600, .pattern = "[\\u0020-\\uD7FF\\uE000-\\uFFFD\\uD800\\uDC00-\\uDBFF\\uDFFF\\r\\n\\t]*"};
const Shape kAutoScalingPolicyName{.name = "AutoScalingPolicyName", .kind = Shape::Kind::kString, .min = 1, .max = 256, .pattern = "\\p{Print}+"};
const Shape kIntegerObject{.name = "IntegerObject", .kind = Shape::Kind::kInteger};
const Shape kDoubleObject{.name = "DoubleObject", .kind = Shape::Kind::kDouble};
constexpr Member kAutoScalingTargetTrackingScalingPolicyConfigurationUpdateMembers[] = {
    {"DisableScaleIn", &kBooleanObject, Presence::kOptional},
    {"ScaleInCooldown", &kIntegerObject, Presence::kOptional},
    {"ScaleOutCooldown", &kIntegerObject, Presence::kOptional},
    {"TargetValue", &kDoubleObject, Presence::kRequired},
};
const Shape kAutoScalingTargetTrackingScalingPolicyConfigurationUpdate{.name = "AutoScalingTargetTrackingScalingPolicyConfigurationUpdate", .kind = Shape::Kind::kStructure, .members = kAutoScalingTargetTrackingScalingPolicyConfigurationUpdateMembers};
constexpr Member kAutoScalingPolicyUpdateMembers[] = {
    {"PolicyName", &kAutoScalingPolicyName, Presence::kOptional},
    {"TargetTrackingScalingPolicyConfiguration", &kAutoScalingTargetTrackingScalingPolicyConfigurationUpdate, Presence::kRequired},
};
const Shape kAutoScalingPolicyUpdate{.name = "AutoScalingPolicyUpdate", .kind = Shape::Kind::kStructure, .members = kAutoScalingPolicyUpdateMembers};
constexpr Member kAutoScalingSettingsUpdateMembers[] = {
    {"MinimumUnits", &kPositiveLongObject, Presence::kOptional},
    {"MaximumUnits", &kPositiveLongObject, Presence::kOptional},
    {"AutoScalingDisabled", &kBooleanObject, Presence::kOptional},
    {"AutoScalingRoleArn", &kAutoScalingRoleArn, Presence::kOptional},
    {"ScalingPolicyUpdate", &kAutoScalingPolicyUpdate, Presence::kOptional},
};
const Shape kAutoScalingSettingsUpdate{.name = "AutoScalingSettingsUpdate", .kind = Shape::Kind::kStructure, .members = kAutoScalingSettingsUpdateMembers};
constexpr Member kGlobalTableGlobalSecondaryIndexSettingsUpdateMembers[] = {
    {"IndexName", &kIndexName, Presence::kRequired},
    {"ProvisionedWriteCapacityUnits", &kPositiveLongObject, Presence::kOptional},
    {"ProvisionedWriteCapacityAutoScalingSettingsUpdate", &kAutoScalingSettingsUpdate, Presence::kOptional},
};
const Shape kGlobalTableGlobalSecondaryIndexSettingsUpdate{.name = "GlobalTableGlobalSecondaryIndexSettingsUpdate", .kind = Shape::Kind::kStructure, .members = kGlobalTableGlobalSecondaryIndexSettingsUpdateMembers};
const Shape kGlobalTableGlobalSecondaryIndexSettingsUpdateList{.name = "GlobalTableGlobalSecondaryIndexSettingsUpdateList", .kind = Shape::Kind::kList, .element = &kGlobalTableGlobalSecondaryIndexSettingsUpdate, .min = 1, .max = 20};
constexpr Member kReplicaGlobalSecondaryIndexSettingsUpdateMembers[] = {
    {"IndexName", &kIndexName, Presence::kRequired},
    {"ProvisionedReadCapacityUnits", &kPositiveLongObject, Presence::kOptional},
    {"ProvisionedReadCapacityAutoScalingSettingsUpdate", &kAutoScalingSettingsUpdate, Presence::kOptional},
};
const Shape kReplicaGlobalSecondaryIndexSettingsUpdate{.name = "ReplicaGlobalSecondaryIndexSettingsUpdate", .kind = Shape::Kind::kStructure, .members = kReplicaGlobalSecondaryIndexSettingsUpdateMembers};
const Shape kReplicaGlobalSecondaryIndexSettingsUpdateList{.name = "ReplicaGlobalSecondaryIndexSettingsUpdateList", .kind = Shape::Kind::kList, .element = &kReplicaGlobalSecondaryIndexSettingsUpdate, .min = 1, .max = 20};
constexpr std::string_view kTableClassValues[] = {"STANDARD", "STANDARD_INFREQUENT_ACCESS"};
const Shape kTableClass{.name = "TableClass", .kind = Shape::Kind::kString, .enumeration = kTableClassValues};
constexpr Member kReplicaSettingsUpdateMembers[] = {
    {"RegionName", &kRegionName, Presence::kRequired},
    {"ReplicaProvisionedReadCapacityUnits", &kPositiveLongObject, Presence::kOptional},
    {"ReplicaProvisionedReadCapacityAutoScalingSettingsUpdate", &kAutoScalingSettingsUpdate, Presence::kOptional},
    {"ReplicaGlobalSecondaryIndexSettingsUpdate", &kReplicaGlobalSecondaryIndexSettingsUpdateList, Presence::kOptional},
    {"ReplicaTableClass", &kTableClass, Presence::kOptional},
};
const Shape kReplicaSettingsUpdate{.name = "ReplicaSettingsUpdate", .kind = Shape::Kind::kStructure, .members = kReplicaSettingsUpdateMembers};
const Shape kReplicaSettingsUpdateList{.name = "ReplicaSettingsUpdateList", .kind = Shape::Kind::kList, .element = &kReplicaSettingsUpdate, .min = 1, .max = 50};
constexpr Member kUpdateGlobalTableSettingsInputMembers[] = {
    {"GlobalTableName", &kNameText, Presence::kRequired},
    {"GlobalTableBillingMode", &kBillingMode, Presence::kOptional},
    {"GlobalTableProvisionedWriteCapacityUnits", &kPositiveLongObject, Presence::kOptional},
    {"GlobalTableProvisionedWriteCapacityAutoScalingSettingsUpdate", &kAutoScalingSettingsUpdate, Presence::kOptional},
    {"GlobalTableGlobalSecondaryIndexSettingsUpdate", &kGlobalTableGlobalSecondaryIndexSettingsUpdateList, Presence::kOptional},
    {"ReplicaSettingsUpdate", &kReplicaSettingsUpdateList, Presence::kOptional},
};
const Shape kUpdateGlobalTableSettingsInput{.name = "UpdateGlobalTableSettingsInput", .kind = Shape::Kind::kStructure, .members = kUpdateGlobalTableSettingsInputMembers};
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
constexpr Member kUpdateKinesisStreamingConfigurationMembers[] = {
    {"ApproximateCreationDateTimePrecision", &kApproximateCreationDateTimePrecision, Presence::kOptional},
};
const Shape kUpdateKinesisStreamingConfiguration{.name = "UpdateKinesisStreamingConfiguration", .kind = Shape::Kind::kStructure, .members = kUpdateKinesisStreamingConfigurationMembers};
constexpr Member kUpdateKinesisStreamingDestinationInputMembers[] = {
    {"TableName", &kTableNameOrArn, Presence::kRequired},
    {"StreamArn", &kStreamArn, Presence::kRequired},
    {"UpdateKinesisStreamingConfiguration", &kUpdateKinesisStreamingConfiguration, Presence::kOptional},
};
const Shape kUpdateKinesisStreamingDestinationInput{.name = "UpdateKinesisStreamingDestinationInput", .kind = Shape::Kind::kStructure, .members = kUpdateKinesisStreamingDestinationInputMembers};
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
constexpr Member kProvisionedThroughputOverrideMembers[] = {
    {"ReadCapacityUnits", &kPositiveLongObject, Presence::kOptional},
};
const Shape kProvisionedThroughputOverride{.name = "ProvisionedThroughputOverride", .kind = Shape::Kind::kStructure, .members = kProvisionedThroughputOverrideMembers};
constexpr Member kOnDemandThroughputOverrideMembers[] = {
    {"MaxReadRequestUnits", &kLongObject, Presence::kOptional},
};
const Shape kOnDemandThroughputOverride{.name = "OnDemandThroughputOverride", .kind = Shape::Kind::kStructure, .members = kOnDemandThroughputOverrideMembers};
constexpr Member kReplicaGlobalSecondaryIndexMembers[] = {
    {"IndexName", &kIndexName, Presence::kRequired},
    {"ProvisionedThroughputOverride", &kProvisionedThroughputOverride, Presence::kOptional},
    {"OnDemandThroughputOverride", &kOnDemandThroughputOverride, Presence::kOptional},
};
const Shape kReplicaGlobalSecondaryIndex{.name = "ReplicaGlobalSecondaryIndex", .kind = Shape::Kind::kStructure, .members = kReplicaGlobalSecondaryIndexMembers};
const Shape kReplicaGlobalSecondaryIndexList{.name = "ReplicaGlobalSecondaryIndexList", .kind = Shape::Kind::kList, .element = &kReplicaGlobalSecondaryIndex, .min = 1};
constexpr Member kCreateReplicationGroupMemberActionMembers[] = {
    {"RegionName", &kRegionName, Presence::kRequired},
    {"KMSMasterKeyId", &kKMSMasterKeyId, Presence::kOptional},
    {"ProvisionedThroughputOverride", &kProvisionedThroughputOverride, Presence::kOptional},
    {"OnDemandThroughputOverride", &kOnDemandThroughputOverride, Presence::kOptional},
    {"GlobalSecondaryIndexes", &kReplicaGlobalSecondaryIndexList, Presence::kOptional},
    {"TableClassOverride", &kTableClass, Presence::kOptional},
};
const Shape kCreateReplicationGroupMemberAction{.name = "CreateReplicationGroupMemberAction", .kind = Shape::Kind::kStructure, .members = kCreateReplicationGroupMemberActionMembers};
constexpr Member kUpdateReplicationGroupMemberActionMembers[] = {
    {"RegionName", &kRegionName, Presence::kRequired},
    {"KMSMasterKeyId", &kKMSMasterKeyId, Presence::kOptional},
    {"ProvisionedThroughputOverride", &kProvisionedThroughputOverride, Presence::kOptional},
    {"OnDemandThroughputOverride", &kOnDemandThroughputOverride, Presence::kOptional},
    {"GlobalSecondaryIndexes", &kReplicaGlobalSecondaryIndexList, Presence::kOptional},
    {"TableClassOverride", &kTableClass, Presence::kOptional},
};
const Shape kUpdateReplicationGroupMemberAction{.name = "UpdateReplicationGroupMemberAction", .kind = Shape::Kind::kStructure, .members = kUpdateReplicationGroupMemberActionMembers};
constexpr Member kDeleteReplicationGroupMemberActionMembers[] = {
    {"RegionName", &kRegionName, Presence::kRequired},
};
const Shape kDeleteReplicationGroupMemberAction{.name = "DeleteReplicationGroupMemberAction", .kind = Shape::Kind::kStructure, .members = kDeleteReplicationGroupMemberActionMembers};
constexpr std::string_view kDisassociationModeValues[] = {"WAIT_FOR_REPLICATION"};
const Shape kDisassociationMode{.name = "DisassociationMode", .kind = Shape::Kind::kString, .enumeration = kDisassociationModeValues};
constexpr Member kDisassociateReplicationGroupMemberActionMembers[] = {
    {"RegionName", &kRegionName, Presence::kRequired},
    {"DisassociationMode", &kDisassociationMode, Presence::kRequired},
};
const Shape kDisassociateReplicationGroupMemberAction{.name = "DisassociateReplicationGroupMemberAction", .kind = Shape::Kind::kStructure, .members = kDisassociateReplicationGroupMemberActionMembers};
constexpr Member kReplicationGroupUpdateMembers[] = {
    {"Create", &kCreateReplicationGroupMemberAction, Presence::kOptional},
    {"Update", &kUpdateReplicationGroupMemberAction, Presence::kOptional},
    {"Delete", &kDeleteReplicationGroupMemberAction, Presence::kOptional},
    {"Disassociate", &kDisassociateReplicationGroupMemberAction, Presence::kOptional},
};
const Shape kReplicationGroupUpdate{.name = "ReplicationGroupUpdate", .kind = Shape::Kind::kStructure, .members = kReplicationGroupUpdateMembers};
const Shape kReplicationGroupUpdateList{.name = "ReplicationGroupUpdateList", .kind = Shape::Kind::kList, .element = &kReplicationGroupUpdate, .min = 1};
constexpr std::string_view kMultiRegionConsistencyValues[] = {"EVENTUAL", "STRONG"};
const Shape kMultiRegionConsistency{.name = "MultiRegionConsistency", .kind = Shape::Kind::kString, .enumeration = kMultiRegionConsistencyValues};
constexpr Member kCreateGlobalTableWitnessGroupMemberActionMembers[] = {
    {"RegionName", &kRegionName, Presence::kRequired},
};
const Shape kCreateGlobalTableWitnessGroupMemberAction{.name = "CreateGlobalTableWitnessGroupMemberAction", .kind = Shape::Kind::kStructure, .members = kCreateGlobalTableWitnessGroupMemberActionMembers};
constexpr Member kDeleteGlobalTableWitnessGroupMemberActionMembers[] = {
    {"RegionName", &kRegionName, Presence::kRequired},
};
const Shape kDeleteGlobalTableWitnessGroupMemberAction{.name = "DeleteGlobalTableWitnessGroupMemberAction", .kind = Shape::Kind::kStructure, .members = kDeleteGlobalTableWitnessGroupMemberActionMembers};
constexpr Member kGlobalTableWitnessGroupUpdateMembers[] = {
    {"Create", &kCreateGlobalTableWitnessGroupMemberAction, Presence::kOptional},
    {"Delete", &kDeleteGlobalTableWitnessGroupMemberAction, Presence::kOptional},
};
const Shape kGlobalTableWitnessGroupUpdate{.name = "GlobalTableWitnessGroupUpdate", .kind = Shape::Kind::kStructure, .members = kGlobalTableWitnessGroupUpdateMembers};
const Shape kGlobalTableWitnessGroupUpdateList{.name = "GlobalTableWitnessGroupUpdateList", .kind = Shape::Kind::kList, .element = &kGlobalTableWitnessGroupUpdate, .min = 1, .max = 1};
const Shape kDisassociationProtectionEnabled{.name = "DisassociationProtectionEnabled", .kind = Shape::Kind::kBoolean};
constexpr Member kCreateVectorIndexActionMembers[] = {
    {"IndexName", &kIndexName, Presence::kRequired},
    {"VectorAttribute", &kVectorAttributeDefinition, Presence::kRequired},
    {"SearchSchema", &kSearchSchema, Presence::kOptional},
    {"Projection", &kProjection, Presence::kRequired},
    {"Dimensions", &kPositiveLongObject, Presence::kRequired},
    {"DistanceFunction", &kVectorDistanceFunction, Presence::kRequired},
};
const Shape kCreateVectorIndexAction{.name = "CreateVectorIndexAction", .kind = Shape::Kind::kStructure, .members = kCreateVectorIndexActionMembers};
constexpr Member kDeleteVectorIndexActionMembers[] = {
    {"IndexName", &kIndexName, Presence::kRequired},
};
const Shape kDeleteVectorIndexAction{.name = "DeleteVectorIndexAction", .kind = Shape::Kind::kStructure, .members = kDeleteVectorIndexActionMembers};
constexpr Member kVectorIndexUpdateMembers[] = {
    {"Create", &kCreateVectorIndexAction, Presence::kOptional},
    {"Delete", &kDeleteVectorIndexAction, Presence::kOptional},
};
const Shape kVectorIndexUpdate{.name = "VectorIndexUpdate", .kind = Shape::Kind::kStructure, .members = kVectorIndexUpdateMembers};
const Shape kVectorIndexUpdateList{.name = "VectorIndexUpdateList", .kind = Shape::Kind::kList, .element = &kVectorIndexUpdate};
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
    {"MultiRegionConsistency", &kMultiRegionConsistency, Presence::kOptional},
    {"GlobalTableWitnessUpdates", &kGlobalTableWitnessGroupUpdateList, Presence::kOptional},
    {"OnDemandThroughput", &kOnDemandThroughput, Presence::kOptional},
    {"WarmThroughput", &kWarmThroughput, Presence::kOptional},
    {"GlobalTableSettingsReplicationMode", &kGlobalTableSettingsReplicationMode, Presence::kOptional},
    {"DisassociationProtectionEnabled", &kDisassociationProtectionEnabled, Presence::kOptional},
    {"VectorIndexUpdates", &kVectorIndexUpdateList, Presence::kOptional},
};
const Shape kUpdateTableInput{.name = "UpdateTableInput", .kind = Shape::Kind::kStructure, .members = kUpdateTableInputMembers};
constexpr Member kGlobalSecondaryIndexAutoScalingUpdateMembers[] = {
    {"IndexName", &kIndexName, Presence::kOptional},
    {"ProvisionedWriteCapacityAutoScalingUpdate", &kAutoScalingSettingsUpdate, Presence::kOptional},
};
const Shape kGlobalSecondaryIndexAutoScalingUpdate{.name = "GlobalSecondaryIndexAutoScalingUpdate", .kind = Shape::Kind::kStructure, .members = kGlobalSecondaryIndexAutoScalingUpdateMembers};
const Shape kGlobalSecondaryIndexAutoScalingUpdateList{.name = "GlobalSecondaryIndexAutoScalingUpdateList", .kind = Shape::Kind::kList, .element = &kGlobalSecondaryIndexAutoScalingUpdate, .min = 1};
constexpr Member kReplicaGlobalSecondaryIndexAutoScalingUpdateMembers[] = {
    {"IndexName", &kIndexName, Presence::kOptional},
    {"ProvisionedReadCapacityAutoScalingUpdate", &kAutoScalingSettingsUpdate, Presence::kOptional},
};
const Shape kReplicaGlobalSecondaryIndexAutoScalingUpdate{.name = "ReplicaGlobalSecondaryIndexAutoScalingUpdate", .kind = Shape::Kind::kStructure, .members = kReplicaGlobalSecondaryIndexAutoScalingUpdateMembers};
const Shape kReplicaGlobalSecondaryIndexAutoScalingUpdateList{.name = "ReplicaGlobalSecondaryIndexAutoScalingUpdateList", .kind = Shape::Kind::kList, .element = &kReplicaGlobalSecondaryIndexAutoScalingUpdate};
constexpr Member kReplicaAutoScalingUpdateMembers[] = {
    {"RegionName", &kRegionName, Presence::kRequired},
    {"ReplicaGlobalSecondaryIndexUpdates", &kReplicaGlobalSecondaryIndexAutoScalingUpdateList, Presence::kOptional},
    {"ReplicaProvisionedReadCapacityAutoScalingUpdate", &kAutoScalingSettingsUpdate, Presence::kOptional},
};
const Shape kReplicaAutoScalingUpdate{.name = "ReplicaAutoScalingUpdate", .kind = Shape::Kind::kStructure, .members = kReplicaAutoScalingUpdateMembers};
const Shape kReplicaAutoScalingUpdateList{.name = "ReplicaAutoScalingUpdateList", .kind = Shape::Kind::kList, .element = &kReplicaAutoScalingUpdate, .min = 1};
constexpr Member kUpdateTableReplicaAutoScalingInputMembers[] = {
    {"GlobalSecondaryIndexUpdates", &kGlobalSecondaryIndexAutoScalingUpdateList, Presence::kOptional},
    {"TableName", &kTableNameOrArn, Presence::kRequired},
    {"ProvisionedWriteCapacityAutoScalingUpdate", &kAutoScalingSettingsUpdate, Presence::kOptional},
    {"ReplicaUpdates", &kReplicaAutoScalingUpdateList, Presence::kOptional},
};
const Shape kUpdateTableReplicaAutoScalingInput{.name = "UpdateTableReplicaAutoScalingInput", .kind = Shape::Kind::kStructure, .members = kUpdateTableReplicaAutoScalingInputMembers};
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

constexpr ModelOperation kOperations[] = {
    {"BatchExecuteStatement", &kBatchExecuteStatementInput, false},
    {"BatchGetItem", &kBatchGetItemInput, false},
    {"BatchWriteItem", &kBatchWriteItemInput, false},
    {"CancelBulkOperation", &kCancelBulkOperationInput, false},
    {"CreateBackup", &kCreateBackupInput, false},
    {"CreateGlobalTable", &kCreateGlobalTableInput, false},
    {"CreateTable", &kCreateTableInput, false},
    {"DeleteBackup", &kDeleteBackupInput, false},
    {"DeleteItem", &kDeleteItemInput, false},
    {"DeleteResourcePolicy", &kDeleteResourcePolicyInput, false},
    {"DeleteTable", &kDeleteTableInput, false},
    {"DescribeBackup", &kDescribeBackupInput, false},
    {"DescribeBulkOperation", &kDescribeBulkOperationInput, false},
    {"DescribeContinuousBackups", &kDescribeContinuousBackupsInput, false},
    {"DescribeContributorInsights", &kDescribeContributorInsightsInput, false},
    {"DescribeEndpoints", &kDescribeEndpointsRequest, false},
    {"DescribeExport", &kDescribeExportInput, false},
    {"DescribeGlobalTable", &kDescribeGlobalTableInput, false},
    {"DescribeGlobalTableSettings", &kDescribeGlobalTableSettingsInput, false},
    {"DescribeImport", &kDescribeImportInput, false},
    {"DescribeKinesisStreamingDestination", &kDescribeKinesisStreamingDestinationInput, false},
    {"DescribeLimits", &kDescribeLimitsInput, false},
    {"DescribeStream", &kDescribeStreamInput, true},
    {"DescribeTable", &kDescribeTableInput, false},
    {"DescribeTableReplicaAutoScaling", &kDescribeTableReplicaAutoScalingInput, false},
    {"DescribeTimeToLive", &kDescribeTimeToLiveInput, false},
    {"DisableKinesisStreamingDestination", &kKinesisStreamingDestinationInput, false},
    {"EnableKinesisStreamingDestination", &kKinesisStreamingDestinationInput, false},
    {"ExecuteStatement", &kExecuteStatementInput, false},
    {"ExecuteTransaction", &kExecuteTransactionInput, false},
    {"ExportTableToPointInTime", &kExportTableToPointInTimeInput, false},
    {"GetItem", &kGetItemInput, false},
    {"GetRecords", &kGetRecordsInput, true},
    {"GetResourcePolicy", &kGetResourcePolicyInput, false},
    {"GetShardIterator", &kGetShardIteratorInput, true},
    {"ImportTable", &kImportTableInput, false},
    {"ListBackups", &kListBackupsInput, false},
    {"ListBulkOperations", &kListBulkOperationsInput, false},
    {"ListContributorInsights", &kListContributorInsightsInput, false},
    {"ListExports", &kListExportsInput, false},
    {"ListGlobalTables", &kListGlobalTablesInput, false},
    {"ListImports", &kListImportsInput, false},
    {"ListStreams", &kListStreamsInput, true},
    {"ListTables", &kListTablesInput, false},
    {"ListTagsOfResource", &kListTagsOfResourceInput, false},
    {"PutItem", &kPutItemInput, false},
    {"PutResourcePolicy", &kPutResourcePolicyInput, false},
    {"Query", &kQueryInput, false},
    {"RestoreTableFromBackup", &kRestoreTableFromBackupInput, false},
    {"RestoreTableToPointInTime", &kRestoreTableToPointInTimeInput, false},
    {"Scan", &kScanInput, false},
    {"SearchVectors", &kSearchVectorsInput, false},
    {"StartBulkPutItems", &kStartBulkPutItemsInput, false},
    {"TagResource", &kTagResourceInput, false},
    {"TransactGetItems", &kTransactGetItemsInput, false},
    {"TransactWriteItems", &kTransactWriteItemsInput, false},
    {"UntagResource", &kUntagResourceInput, false},
    {"UpdateContinuousBackups", &kUpdateContinuousBackupsInput, false},
    {"UpdateContributorInsights", &kUpdateContributorInsightsInput, false},
    {"UpdateGlobalTable", &kUpdateGlobalTableInput, false},
    {"UpdateGlobalTableSettings", &kUpdateGlobalTableSettingsInput, false},
    {"UpdateItem", &kUpdateItemInput, false},
    {"UpdateKinesisStreamingDestination", &kUpdateKinesisStreamingDestinationInput, false},
    {"UpdateTable", &kUpdateTableInput, false},
    {"UpdateTableReplicaAutoScaling", &kUpdateTableReplicaAutoScalingInput, false},
    {"UpdateTimeToLive", &kUpdateTimeToLiveInput, false},
};

}  // namespace

std::span<const ModelOperation> model_operations() { return kOperations; }

const ModelOperation* find_model_operation(std::string_view name) {
  const auto found = std::ranges::lower_bound(kOperations, name, {}, &ModelOperation::name);
  return found != std::end(kOperations) && found->name == name ? found : nullptr;
}

}  // namespace dolmen::wire
