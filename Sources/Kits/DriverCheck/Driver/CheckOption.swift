import AuthcoreABI
import Glibc

/// An option for `open`, sound or not.
struct CheckOption {
  let name: String
  let value: String
  let kind: ac_option_kind_t

  /// The C form; its strings, and the file of a file option, live until the process ends.
  @unsafe func made() -> ac_option_t {
    let isFile = kind == ac_option_kind_t(AC_OPTION_FILE)
    let number =
      value.hasPrefix("0x") ? Int64(value.dropFirst(2), radix: 16) : Int64(value)
    return unsafe ac_option_t(
      name: strdup(name), value: strdup(value),
      file_descriptor: isFile ? Glibc.open(value, O_RDONLY | O_CLOEXEC) : -1,
      number: kind == ac_option_kind_t(AC_OPTION_NUMBER) ? number ?? 0 : 0)
  }
}
