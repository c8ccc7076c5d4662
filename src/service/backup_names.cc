#include "dolmen/backup.h"

namespace dolmen {

std::string_view backup_status_name(BackupStatus status) {
  switch (status) {
    case BackupStatus::kCreating: return "CREATING";
    case BackupStatus::kAvailable: return "AVAILABLE";
    case BackupStatus::kDeleted: return "DELETED";
  }
  return "";
}

std::optional<BackupStatus> backup_status_of(std::string_view name) {
  for (const BackupStatus status : {BackupStatus::kCreating, BackupStatus::kAvailable, BackupStatus::kDeleted})
    if (backup_status_name(status) == name) return status;
  return std::nullopt;
}

std::string_view backup_type_name(BackupType type) {
  switch (type) {
    case BackupType::kUser: return "USER";
    case BackupType::kSystem: return "SYSTEM";
    case BackupType::kAwsBackup: return "AWS_BACKUP";
  }
  return "";
}

std::optional<BackupType> backup_type_of(std::string_view name) {
  for (const BackupType type : {BackupType::kUser, BackupType::kSystem, BackupType::kAwsBackup})
    if (backup_type_name(type) == name) return type;
  return std::nullopt;
}

}  // namespace dolmen
