#pragma once

#include <string>
#include <string_view>

/// The sort keys of the items of a page, and the attributes of requests.
namespace dolmen::isr {

inline constexpr std::string_view kMetadata = "META";
inline constexpr std::string_view kLock = "LOCK";
inline constexpr std::string_view kVersionPrefix = "VER#";
inline constexpr std::string_view kRequestPrefix = "REQ#";

inline constexpr const char* kRequestHash = "request_hash";
inline constexpr const char* kStatus = "status";
inline constexpr const char* kResult = "result_s3_key";
inline constexpr const char* kStarted = "STARTED";
inline constexpr const char* kCompleted = "COMPLETED";
inline constexpr const char* kFailed = "FAILED";

/// Of requests that are under way: who has begun it, and until when it is his.
inline constexpr const char* kRequestToken = "lease_token";
inline constexpr const char* kRequestEnd = "lease_expires_at";

inline constexpr const char* kBodyKey = "s3_key";
inline constexpr const char* kGeneratedAt = "generated_at";
inline constexpr const char* kRevalidate = "revalidate_seconds";
inline constexpr const char* kTags = "tags";
inline constexpr const char* kOldBodies = "old_bodies";
inline constexpr const char* kGeneration = "generation";
inline constexpr const char* kCurrentVersion = "current_sk";

inline std::string version_sort(std::string_view id) { return std::string(kVersionPrefix).append(id); }
inline std::string request_sort(std::string_view id) { return std::string(kRequestPrefix).append(id); }

}  // namespace dolmen::isr
