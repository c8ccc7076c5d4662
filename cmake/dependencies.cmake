# Libraries from the system, one imported target each. To use another RocksDB than the system's, pass
# -DRocksDB_DIR=<folder that holds RocksDBConfig.cmake>.
find_package(Threads REQUIRED)
find_package(RocksDB REQUIRED CONFIG)
find_package(fmt REQUIRED)
find_package(simdjson REQUIRED)
find_package(CLI11 REQUIRED)
find_package(Boost 1.81 REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(libdeflate REQUIRED IMPORTED_TARGET libdeflate)

set(DOLMEN_ROCKSDB RocksDB::rocksdb-shared)
if(NOT TARGET RocksDB::rocksdb-shared)
  set(DOLMEN_ROCKSDB RocksDB::rocksdb)
endif()

if(DOLMEN_TESTS)
  find_package(GTest REQUIRED)
  find_package(rapidcheck REQUIRED)
endif()
if(DOLMEN_BENCH)
  find_package(benchmark REQUIRED)
endif()
