#pragma once

/// The preprocessor's part of DOLMEN_RECORD and DOLMEN_ENUM (dolmen/record.h).

// Compilers show how a macro came to be wherever they find a mistake in it: here that would be hundreds of steps. They
// leave them out for headers of the system.
#pragma GCC system_header

// DOLMEN_FOR_EACH(macro, context, a, b, ...) becomes macro(context, a) macro(context, b) ... for up to 256 elements.
// The preprocessor does not expand a macro inside itself, but it reads an argument again at each level of
// DOLMEN_EXPAND.
#define DOLMEN_EXPAND(...) DOLMEN_EXPAND_3(DOLMEN_EXPAND_3(DOLMEN_EXPAND_3(DOLMEN_EXPAND_3(__VA_ARGS__))))
#define DOLMEN_EXPAND_3(...) DOLMEN_EXPAND_2(DOLMEN_EXPAND_2(DOLMEN_EXPAND_2(DOLMEN_EXPAND_2(__VA_ARGS__))))
#define DOLMEN_EXPAND_2(...) DOLMEN_EXPAND_1(DOLMEN_EXPAND_1(DOLMEN_EXPAND_1(DOLMEN_EXPAND_1(__VA_ARGS__))))
#define DOLMEN_EXPAND_1(...) DOLMEN_EXPAND_0(DOLMEN_EXPAND_0(DOLMEN_EXPAND_0(DOLMEN_EXPAND_0(__VA_ARGS__))))
#define DOLMEN_EXPAND_0(...) __VA_ARGS__

#define DOLMEN_FOR_EACH(macro, context, ...) \
  __VA_OPT__(DOLMEN_EXPAND(DOLMEN_FOR_EACH_STEP(macro, context, __VA_ARGS__)))
#define DOLMEN_FOR_EACH_STEP(macro, context, first, ...) \
  macro(context, first) __VA_OPT__(DOLMEN_FOR_EACH_AGAIN DOLMEN_EMPTY_LIST(macro, context, __VA_ARGS__))
#define DOLMEN_FOR_EACH_AGAIN() DOLMEN_FOR_EACH_STEP
#define DOLMEN_EMPTY_LIST ()

// DOLMEN_SPREAD(macro, context, a) and DOLMEN_SPREAD(macro, context, (a, b)) become macro(context, a) and
// macro(context, a, b).
#define DOLMEN_SPREAD(macro, context, element) \
  DOLMEN_SPREAD_AS(DOLMEN_SECOND(DOLMEN_LIST_PROBE element, SINGLE), macro, context, element)
#define DOLMEN_SPREAD_AS(kind, macro, context, element) DOLMEN_SPREAD_THAT(kind, macro, context, element)
#define DOLMEN_SPREAD_THAT(kind, macro, context, element) DOLMEN_SPREAD_##kind(macro, context, element)
#define DOLMEN_SPREAD_SINGLE(macro, context, element) macro(context, element)
#define DOLMEN_SPREAD_LIST(macro, context, element) DOLMEN_CALL(macro, (context, DOLMEN_ELEMENTS element))
#define DOLMEN_CALL(macro, arguments) macro arguments
#define DOLMEN_ELEMENTS(...) __VA_ARGS__
#define DOLMEN_LIST_PROBE(...) ~, LIST
#define DOLMEN_SECOND(...) DOLMEN_SECOND_OF(__VA_ARGS__, )
#define DOLMEN_SECOND_OF(first, second, ...) second

#define DOLMEN_RECORD_MEMBER(type, element) DOLMEN_SPREAD(DOLMEN_RECORD_MEMBER_OF, type, element)
// In a template, so that a name which is not a member's is one readable error.
#define DOLMEN_RECORD_MEMBER_OF(type, name, ...)                                                                \
  []<class DolmenRecord>(::std::type_identity<DolmenRecord>) {                                                  \
    constexpr bool kIsMember = requires { &DolmenRecord::name; };                                               \
    static_assert(kIsMember, "DOLMEN_RECORD(" #type ", ...) names " #name ", which is not a member of " #type); \
    if constexpr (kIsMember)                                                                                    \
      return ::dolmen::mapping::member<DolmenRecord, &DolmenRecord::name>(#name __VA_OPT__(, ) __VA_ARGS__);    \
    else                                                                                                        \
      return ::dolmen::mapping::unknown_member(#name);                                                          \
  }(::std::type_identity<type>{}),

#define DOLMEN_ENUMERATOR(type, element) DOLMEN_SPREAD(DOLMEN_ENUMERATOR_OF, type, element)
#define DOLMEN_ENUMERATOR_OF(type, name, ...) \
  ::dolmen::mapping::enumerator(type::name, #name __VA_OPT__(, ) __VA_ARGS__),
