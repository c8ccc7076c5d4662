#ifndef DOLMEN_C_H
#define DOLMEN_C_H

/* Dolmen from C, and from every language that can call C. The library is libdolmen.so; docs/c.md has a tour.
 *
 *   dolmen_store* store = NULL;
 *   if (dolmen_open("./data", &store) != DOLMEN_OK) die(dolmen_last_error_message());
 *   char* answer = NULL;
 *   if (dolmen_call(store, "GetItem", "{\"TableName\": \"notes\", \"Key\": {...}}", &answer) == DOLMEN_OK) use(answer);
 *   dolmen_free(answer);
 *   dolmen_close(store);
 *
 * Every function may be called by any thread at any time, for the same store as well. Texts are UTF-8 and end with a
 * zero byte unless a length is given. A function that fails changes none of the results that it was given. No C++
 * exception leaves a function. */

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DOLMEN_API __attribute__((visibility("default")))

/* The version of this interface. It grows when something is added; what exists does not change as long as the name of
 * the library, libdolmen.so.1, is the same. */
#define DOLMEN_C_VERSION 1

/* The version that the loaded library has: at least that of the header with which the program was compiled, or the
 * program may miss functions. */
DOLMEN_API uint32_t dolmen_c_version(void);
/* The version of Dolmen, such as "0.1.0". */
DOLMEN_API const char* dolmen_version(void);

/* ---- Errors ---- */

/* What functions return. It says what a program can do about a failure; dolmen_last_error_code says exactly what it
 * is. */
typedef enum dolmen_status {
  DOLMEN_OK = 0,
  DOLMEN_INVALID = 1,         /* the request breaks a rule; it will fail again */
  DOLMEN_NOT_FOUND = 2,       /* there is no such table, item, stream, document ... */
  DOLMEN_EXISTS = 3,          /* there is one already, or it is in use */
  DOLMEN_CONDITION = 4,       /* a condition does not hold, or a transaction was canceled */
  DOLMEN_TRY_AGAIN = 5,       /* nothing has happened; the same request may succeed later */
  DOLMEN_UNKNOWN_OUTCOME = 6, /* a write to a server may or may not have happened */
  DOLMEN_DENIED = 7,          /* credentials are missing, or do not allow it */
  DOLMEN_STORAGE = 8,         /* the directory or the disk: in use, full, damaged, foreign */
  DOLMEN_CLOSED = 9,          /* the store is closed */
  DOLMEN_INTERNAL = 10        /* memory is exhausted, or Dolmen has a defect */
} dolmen_status;

/* About the latest call of this thread that failed. Each text lives until this thread calls Dolmen again. */

/* For people: what is wrong, and where. Never NULL. */
DOLMEN_API const char* dolmen_last_error_message(void);
/* For programs: a stable name from one list, such as "ConditionFailed" or "DirectoryInUse". */
DOLMEN_API const char* dolmen_last_error_code(void);
/* What a server would send: a JSON object with "__type", "message" and, where the error has them, the item or the
 * reasons. */
DOLMEN_API const char* dolmen_last_error_json(void);
/* The status of HTTP that a server would send with it. */
DOLMEN_API int dolmen_last_error_http_status(void);

/* ---- Stores ---- */

/* An open store. Not a pointer to anything; a closed one is recognised, and refused with DOLMEN_CLOSED. */
typedef struct dolmen_store dolmen_store;

typedef enum dolmen_durability {
  DOLMEN_SYNC = 0, /* an acknowledged write is on disk */
  DOLMEN_OS = 1    /* an acknowledged write survives the end of the process, not that of the machine */
} dolmen_durability;

/* Begin with `dolmen_options options = DOLMEN_OPTIONS;`. Later versions add members at the end. */
typedef struct dolmen_options {
  size_t size; /* sizeof(dolmen_options) */
  dolmen_durability durability;
  const char* region; /* part of the ARNs of tables; NULL: us-east-1, or for "aws:" what the environment says */
} dolmen_options;

#define DOLMEN_OPTIONS {sizeof(dolmen_options), DOLMEN_SYNC, NULL}

/* Opens a store by its address: a directory, which is created when it is missing; "memory:"; "http://127.0.0.1:8000";
 * "aws:eu-west-1". */
DOLMEN_API dolmen_status dolmen_open(const char* address, dolmen_store** store);
/* `options` may be NULL. Durability is only for a directory. */
DOLMEN_API dolmen_status dolmen_open_with(const char* address, const dolmen_options* options, dolmen_store** store);

/* Ends the streams of the store, waits for the calls under way and closes it; then the directory can be opened again.
 * Not from within a callback of the same store, which is DOLMEN_INVALID. */
DOLMEN_API dolmen_status dolmen_close(dolmen_store* store);

/* A writable copy of an embedded store as it is now, opened as this one was. `directory` must be missing or empty; NULL
 * for a store in memory. */
DOLMEN_API dolmen_status dolmen_fork(dolmen_store* store, const char* directory, dolmen_store** fork);

/* ---- Requests ---- */

/* Carries out an operation of DynamoDB, with the JSON that goes over the wire: "PutItem", "Query", "GetRecords" ...
 * Dolmen's own operations, on documents and entities for example, are called in the same way. The answer is to be given
 * to dolmen_free. */
DOLMEN_API dolmen_status dolmen_call(dolmen_store* store, const char* operation, const char* request, char** answer);

/* An answer to a request, whether it is good or an error: what a server would send. */
typedef struct dolmen_answer {
  char* body; /* JSON, with a zero byte behind it; to be given to dolmen_free */
  size_t length;
  int http_status;
} dolmen_answer;

/* The same for those who speak the protocol themselves, such as SDKs: `answer` is filled in also when this fails,
 * unless the store is closed or an argument is NULL. `target` may have the prefix that clients write into X-Amz-Target.
 */
DOLMEN_API dolmen_status dolmen_request(dolmen_store* store, const char* target, const char* body, size_t length,
                                        dolmen_answer* answer);

/* Frees what this library has allocated. NULL is fine. */
DOLMEN_API void dolmen_free(void* memory);

/* ---- Streams ---- */

/* Takes a change: a record as GetRecords returns it, and the position after it, from which a later call goes on. Both
 * live until it returns. Anything but 0 ends the stream. */
typedef int (*dolmen_on_change)(void* context, const char* record, const char* position);

/* Begin with `dolmen_stream_options options = DOLMEN_STREAM_OPTIONS;`. Later versions add members at the end. */
typedef struct dolmen_stream_options {
  size_t size;          /* sizeof(dolmen_stream_options) */
  const char* position; /* where to go on; NULL: see `newest` */
  int newest;           /* begin with changes that are made from now on, and not with the oldest */
  int64_t wait_ms;      /* how long to wait for another change; below 0: until the store is closed */
} dolmen_stream_options;

#define DOLMEN_STREAM_OPTIONS {sizeof(dolmen_stream_options), NULL, 0, 0}

/* Calls `on_change` for the changes of a table in their order, on this thread. DOLMEN_OK when there are no more, or
 * when `on_change` ends it; DOLMEN_CLOSED when the store is closed meanwhile. `options` may be NULL. */
DOLMEN_API dolmen_status dolmen_stream(dolmen_store* store, const char* table, const dolmen_stream_options* options,
                                       dolmen_on_change on_change, void* context);

#ifdef __cplusplus
}
#endif

#endif
