/* A program in plain C that uses the shared library as a stranger would. Says what is wrong and exits with 1. */
#define _POSIX_C_SOURCE 200809L
#include <dolmen/c.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXPECT(truth)                                                                               \
  do {                                                                                              \
    if (!(truth)) {                                                                                 \
      fprintf(stderr, "%s:%d: %s (%s)\n", __FILE__, __LINE__, #truth, dolmen_last_error_message()); \
      exit(1);                                                                                      \
    }                                                                                               \
  } while (0)

enum { kThreads = 8, kWrites = 100 };

static const char kCreate[] =
    "{\"TableName\":\"notes\",\"KeySchema\":[{\"AttributeName\":\"id\",\"KeyType\":\"HASH\"}],"
    "\"AttributeDefinitions\":[{\"AttributeName\":\"id\",\"AttributeType\":\"S\"}],\"BillingMode\":\"PAY_PER_REQUEST\","
    "\"StreamSpecification\":{\"StreamEnabled\":true,\"StreamViewType\":\"NEW_AND_OLD_IMAGES\"}}";
static const char kGet[] = "{\"TableName\":\"notes\",\"Key\":{\"id\":{\"S\":\"a\"}}}";
static const char kPut[] = "{\"TableName\":\"notes\",\"Item\":{\"id\":{\"S\":\"a\"},\"text\":{\"S\":\"stone\"}}}";
static const char kPutNew[] =
    "{\"TableName\":\"notes\",\"Item\":{\"id\":{\"S\":\"a\"}},\"ConditionExpression\":\"attribute_not_exists(id)\"}";

static dolmen_store* open_notes(void) {
  dolmen_store* store = NULL;
  char* answer = NULL;
  EXPECT(dolmen_open("memory:", &store) == DOLMEN_OK);
  EXPECT(dolmen_call(store, "CreateTable", kCreate, &answer) == DOLMEN_OK);
  EXPECT(strstr(answer, "\"TableName\":\"notes\"") != NULL);
  dolmen_free(answer);
  return store;
}

static void call(dolmen_store* store, const char* operation, const char* request) {
  char* answer = NULL;
  EXPECT(dolmen_call(store, operation, request, &answer) == DOLMEN_OK);
  dolmen_free(answer);
}

static void check_items(dolmen_store* store) {
  char* answer = NULL;
  call(store, "PutItem", kPut);
  EXPECT(dolmen_call(store, "GetItem", kGet, &answer) == DOLMEN_OK);
  EXPECT(strcmp(answer, "{\"Item\":{\"id\":{\"S\":\"a\"},\"text\":{\"S\":\"stone\"}}}") == 0);
  dolmen_free(answer);
  /* As a client names it on the wire, with a length instead of a zero byte. */
  dolmen_answer full = {NULL, 0, 0};
  char body[sizeof kGet + 8];
  memcpy(body, kGet, sizeof kGet - 1);
  memcpy(body + sizeof kGet - 1, "rubbish", 8);
  EXPECT(dolmen_request(store, "DynamoDB_20120810.GetItem", body, sizeof kGet - 1, &full) == DOLMEN_OK);
  EXPECT(full.http_status == 200 && full.length == strlen(full.body));
  dolmen_free(full.body);
}

static void check_errors(dolmen_store* store) {
  char* answer = NULL;
  EXPECT(dolmen_call(store, "PutItem", kPutNew, &answer) == DOLMEN_CONDITION);
  EXPECT(answer == NULL);
  EXPECT(strcmp(dolmen_last_error_code(), "ConditionFailed") == 0);
  EXPECT(strcmp(dolmen_last_error_message(), "The conditional request failed") == 0);
  EXPECT(strstr(dolmen_last_error_json(), "ConditionalCheckFailedException") != NULL);
  EXPECT(dolmen_last_error_http_status() == 400);

  dolmen_answer full = {NULL, 0, 0};
  EXPECT(dolmen_request(store, "PutItem", kPutNew, strlen(kPutNew), &full) == DOLMEN_CONDITION);
  EXPECT(full.http_status == 400 && strstr(full.body, "\"__type\"") != NULL);
  dolmen_free(full.body);

  EXPECT(dolmen_call(store, "GetItem", "{", &answer) == DOLMEN_INVALID);
  EXPECT(strcmp(dolmen_last_error_code(), "Serialization") == 0);
  EXPECT(dolmen_call(store, "DropEverything", "{}", &answer) == DOLMEN_INVALID);
  EXPECT(strcmp(dolmen_last_error_code(), "UnknownOperation") == 0);
  EXPECT(dolmen_call(store, "DescribeTable", "{\"TableName\":\"none\"}", &answer) == DOLMEN_NOT_FOUND);
  EXPECT(dolmen_call(store, "CreateTable", kCreate, &answer) == DOLMEN_EXISTS);
  EXPECT(dolmen_call(store, NULL, "{}", &answer) == DOLMEN_INVALID);
  EXPECT(strcmp(dolmen_last_error_message(), "operation is NULL") == 0);
  EXPECT(answer == NULL);
  dolmen_free(NULL);
}

static void check_handles(void) {
  dolmen_store* store = open_notes();
  char* answer = NULL;
  EXPECT(dolmen_close(store) == DOLMEN_OK);
  EXPECT(dolmen_close(store) == DOLMEN_CLOSED);
  EXPECT(dolmen_call(store, "ListTables", "{}", &answer) == DOLMEN_CLOSED);
  EXPECT(dolmen_call(NULL, "ListTables", "{}", &answer) == DOLMEN_CLOSED);
  EXPECT(dolmen_open("ftp://example.com", &store) == DOLMEN_INVALID);
  EXPECT(dolmen_open("memory:", NULL) == DOLMEN_INVALID);
}

static void check_options(const char* folder) {
  dolmen_store* store = NULL;
  dolmen_store* second = NULL;
  dolmen_options options = DOLMEN_OPTIONS;
  options.durability = DOLMEN_OS;
  options.region = "eu-west-1";
  char data[512];
  snprintf(data, sizeof data, "%s/data", folder);
  EXPECT(dolmen_open_with(data, &options, &store) == DOLMEN_OK);
  EXPECT(dolmen_open(data, &second) == DOLMEN_STORAGE);
  EXPECT(strcmp(dolmen_last_error_code(), "DirectoryInUse") == 0);
  char* answer = NULL;
  EXPECT(dolmen_call(store, "CreateTable", kCreate, &answer) == DOLMEN_OK);
  EXPECT(strstr(answer, "arn:aws:dynamodb:eu-west-1:") != NULL);
  dolmen_free(answer);

  /* A program of tomorrow asks for what this library does not know. */
  dolmen_options newer = DOLMEN_OPTIONS;
  newer.size += 8;
  EXPECT(dolmen_open_with("memory:", &newer, &second) == DOLMEN_INVALID);
  EXPECT(dolmen_open_with("memory:", &options, &second) == DOLMEN_INVALID);

  char copy[512];
  snprintf(copy, sizeof copy, "%s/copy", folder);
  EXPECT(dolmen_fork(store, copy, &second) == DOLMEN_OK);
  call(second, "PutItem", kPut);
  EXPECT(dolmen_call(store, "GetItem", kGet, &answer) == DOLMEN_OK && strcmp(answer, "{}") == 0);
  dolmen_free(answer);
  EXPECT(dolmen_close(second) == DOLMEN_OK);
  EXPECT(dolmen_close(store) == DOLMEN_OK);
  /* The directory is free when the store is closed. */
  EXPECT(dolmen_open(data, &store) == DOLMEN_OK && dolmen_close(store) == DOLMEN_OK);
}

struct seen {
  int count;
  int stop_after;
  char position[4096];
  dolmen_store* store;
};

static int on_change(void* context, const char* record, const char* position) {
  struct seen* seen = context;
  EXPECT(strstr(record, "\"eventName\":\"INSERT\"") != NULL && strstr(record, "\"NewImage\"") != NULL);
  snprintf(seen->position, sizeof seen->position, "%s", position);
  /* A callback may make calls, but not close the store that calls it. */
  call(seen->store, "ListTables", "{}");
  EXPECT(dolmen_close(seen->store) == DOLMEN_INVALID);
  return ++seen->count == seen->stop_after;
}

static void check_stream(void) {
  dolmen_store* store = open_notes();
  for (int i = 0; i < 5; ++i) {
    char put[128];
    snprintf(put, sizeof put, "{\"TableName\":\"notes\",\"Item\":{\"id\":{\"S\":\"%d\"}}}", i);
    call(store, "PutItem", put);
  }
  struct seen seen = {0, 2, "", store};
  dolmen_stream_options options = DOLMEN_STREAM_OPTIONS;
  EXPECT(dolmen_stream(store, "notes", NULL, on_change, &seen) == DOLMEN_OK);
  EXPECT(seen.count == 2);
  options.position = seen.position;
  seen.stop_after = 0;
  EXPECT(dolmen_stream(store, "notes", &options, on_change, &seen) == DOLMEN_OK);
  EXPECT(seen.count == 5);
  EXPECT(dolmen_stream(store, "none", NULL, on_change, &seen) == DOLMEN_NOT_FOUND);
  EXPECT(dolmen_stream(store, "notes", NULL, NULL, NULL) == DOLMEN_INVALID);
  EXPECT(dolmen_close(store) == DOLMEN_OK);
}

static int count_change(void* context, const char* record, const char* position) {
  (void)record;
  (void)position;
  pthread_barrier_wait(context);
  return 0;
}

struct follower {
  dolmen_store* store;
  pthread_barrier_t barrier;
};

static void* follow(void* context) {
  struct follower* follower = context;
  dolmen_stream_options options = DOLMEN_STREAM_OPTIONS;
  options.wait_ms = -1;
  EXPECT(dolmen_stream(follower->store, "notes", &options, count_change, &follower->barrier) == DOLMEN_CLOSED);
  return NULL;
}

/* A stream that waits for ever ends when the store is closed. */
static void check_close_ends_streams(void) {
  struct follower follower;
  follower.store = open_notes();
  EXPECT(pthread_barrier_init(&follower.barrier, NULL, 2) == 0);
  pthread_t thread;
  EXPECT(pthread_create(&thread, NULL, follow, &follower) == 0);
  call(follower.store, "PutItem", kPut);
  pthread_barrier_wait(&follower.barrier);
  EXPECT(dolmen_close(follower.store) == DOLMEN_OK);
  EXPECT(pthread_join(thread, NULL) == 0);
  pthread_barrier_destroy(&follower.barrier);
}

struct writer {
  dolmen_store* store;
  int number;
};

static void* write_many(void* context) {
  const struct writer* writer = context;
  for (int i = 0; i < kWrites; ++i) {
    char put[128];
    snprintf(put, sizeof put, "{\"TableName\":\"notes\",\"Item\":{\"id\":{\"S\":\"%d-%d\"}}}", writer->number, i);
    call(writer->store, "PutItem", put);
    /* Each thread has its own last error. */
    char wrong[64];
    char* answer = NULL;
    snprintf(wrong, sizeof wrong, "No%dSuch", writer->number);
    EXPECT(dolmen_call(writer->store, "DescribeTable", "{\"TableName\":\"none\"}", &answer) == DOLMEN_NOT_FOUND);
    EXPECT(strstr(dolmen_last_error_message(), "none") != NULL);
  }
  return NULL;
}

static void check_threads(void) {
  dolmen_store* store = open_notes();
  pthread_t threads[kThreads];
  struct writer writers[kThreads];
  for (int i = 0; i < kThreads; ++i) {
    writers[i].store = store;
    writers[i].number = i;
    EXPECT(pthread_create(&threads[i], NULL, write_many, &writers[i]) == 0);
  }
  for (int i = 0; i < kThreads; ++i) EXPECT(pthread_join(threads[i], NULL) == 0);
  char* answer = NULL;
  char expected[32];
  EXPECT(dolmen_call(store, "DescribeTable", "{\"TableName\":\"notes\"}", &answer) == DOLMEN_OK);
  snprintf(expected, sizeof expected, "\"ItemCount\":%d", kThreads * kWrites);
  EXPECT(strstr(answer, expected) != NULL);
  dolmen_free(answer);
  EXPECT(dolmen_close(store) == DOLMEN_OK);
}

int main(void) {
  EXPECT(dolmen_c_version() == DOLMEN_C_VERSION);
  EXPECT(strlen(dolmen_version()) >= 5);
  char folder[] = "/tmp/dolmen-c-XXXXXX";
  EXPECT(mkdtemp(folder) != NULL);
  dolmen_store* store = open_notes();
  check_items(store);
  check_errors(store);
  EXPECT(dolmen_close(store) == DOLMEN_OK);
  check_handles();
  check_options(folder);
  check_stream();
  check_close_ends_streams();
  check_threads();
  char remove[64];
  snprintf(remove, sizeof remove, "rm -r %s", folder);
  return system(remove) == 0 ? 0 : 1;
}
