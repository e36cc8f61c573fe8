import AuthcoreABI
import Glibc

/// An option as `--driver name:option=value` gives it.
struct TestOption {
  let name: String
  let value: String
  let number: Int64
  let isFile: Bool

  static func number(_ name: String, _ value: Int64) -> TestOption {
    .init(name: name, value: String(value), number: value, isFile: false)
  }

  static func text(_ name: String, _ value: String) -> TestOption {
    .init(name: name, value: value, number: 0, isFile: false)
  }

  static func file(_ name: String, _ path: String) -> TestOption {
    .init(name: name, value: path, number: 0, isFile: true)
  }

  @unsafe func made() throws -> ac_option_t {
    let descriptor = unsafe isFile ? Glibc.open(value, O_RDONLY | O_CLOEXEC) : -1
    guard descriptor >= 0 || !isFile else {
      throw BuiltPlugin.LoadError(description: "\(value) cannot be opened")
    }
    return unsafe ac_option_t(
      name: strdup(name), value: strdup(value), file_descriptor: descriptor, number: number)
  }
}

extension ac_option_t {
  @unsafe func free() {
    unsafe Glibc.free(UnsafeMutablePointer(mutating: name))
    unsafe Glibc.free(UnsafeMutablePointer(mutating: value))
    if unsafe file_descriptor >= 0 { unsafe close(file_descriptor) }
  }
}
