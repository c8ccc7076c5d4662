# Runs engine_torture in a directory that is new before and gone afterwards.
execute_process(COMMAND mktemp -d OUTPUT_VARIABLE directory OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${PROGRAM} --ops 20000 --data ${directory}/store RESULT_VARIABLE status)
file(REMOVE_RECURSE ${directory})
if(NOT status EQUAL 0)
  message(FATAL_ERROR "engine_torture ended with ${status}")
endif()
