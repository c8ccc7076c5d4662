#include "cli/model_files.h"

#include <algorithm>

#include "base/fail.h"
#include "cli/config_files.h"

namespace dolmen::cli {

Result<std::vector<Model>> models_in(const std::vector<std::string>& files) {
  std::vector<Model> models;
  for (const std::string& name : files) {
    DOLMEN_TRY(const std::vector<std::filesystem::path> paths, config_files_in(name));
    for (const std::filesystem::path& path : paths) {
      DOLMEN_TRY(const ModelSet set, load_models(path));
      for (const Model& model : set.models) {
        if (std::ranges::find(models, model.name, &Model::name) != models.end())
          return fail(Code::kInvalidModel, "{}: another file has a model \"{}\" too; give each model one name",
                      path.string(), model.name);
        models.push_back(model);
      }
    }
  }
  return models;
}

}  // namespace dolmen::cli
