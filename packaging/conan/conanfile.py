"""conan create packaging/conan --build=missing"""

import os

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy

ROOT = os.path.join(os.path.dirname(__file__), "..", "..")
TREE = ("CMakeLists.txt", "CMakePresets.json", "LICENSE", "cmake/*", "include/*", "src/*", "packaging/*", "tools/*",
        "examples/*")


class Dolmen(ConanFile):
    name = "dolmen"
    version = "0.1.0"
    license = "Apache-2.0"
    description = "A DynamoDB-compatible table store that is embedded in a program"
    settings = "os", "compiler", "build_type", "arch"
    requires = ("boost/1.81.0", "cli11/2.3.2", "fmt/9.1.0", "icu/72.1", "libcurl/[>=7.88]", "libdeflate/1.19",
                "editline/3.1", "libfyaml/0.7.12", "openssl/[>=3 <4]", "rocksdb/[>=7.8 <9]", "simdjson/3.1.1",
                "xxhash/0.8.1", "zlib/[>=1.2.13 <2]")

    def export_sources(self):
        for pattern in TREE:
            copy(self, pattern, ROOT, self.export_sources_folder)

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.variables["DOLMEN_TESTS"] = False
        toolchain.variables["DOLMEN_BENCH"] = False
        toolchain.generate()
        CMakeDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()

    def package_info(self):
        # Programs find the package by the files that it installs, as without Conan.
        self.cpp_info.builddirs = [os.path.join("lib", "cmake", "dolmen")]
        self.cpp_info.set_property("cmake_find_mode", "none")
