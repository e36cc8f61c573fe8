import CClientLibrary
import Glibc
import Protocol

enum GivenText {
  /// The longest text that most arguments take, in bytes.
  static let longest = Int(AC_CLIENT_LONGEST_TEXT)

  /// A caller's text.
  /// - Parameters:
  ///   - pointer: NUL terminated.
  ///   - name: the argument's.
  ///   - limit: in bytes.
  /// - Returns: a copy; nil for NULL.
  /// - Throws: `errSecParam` where it is longer, or not UTF-8.
  @unsafe static func copy(
    _ pointer: UnsafePointer<CChar>?, _ name: String, atMost limit: Int = longest
  ) throws(Failure) -> String? {
    guard let pointer = unsafe pointer else { return nil }
    // What is far too long is not read to its end.
    let count = unsafe strnlen(pointer, limit + 1)
    guard count <= limit else {
      throw Failure(
        .errSecParam, "\(name) is too long", hint: "it takes at most \(limit) bytes, and a NUL")
    }
    let bytes = unsafe UnsafeRawBufferPointer(start: pointer, count: count)
    return try unsafe copy(bytes, name)
  }

  /// A caller's text of a known length.
  @unsafe static func copy(
    _ bytes: UnsafeRawBufferPointer, _ name: String
  ) throws(Failure) -> String {
    guard let text = unsafe String(validating: bytes, as: UTF8.self) else {
      throw Failure(.errSecParam, "\(name) is not UTF-8", hint: "encode it as UTF-8")
    }
    return text
  }

  /// As ``copy(_:_:atMost:)``, for what must not be empty where it is given.
  @unsafe static func named(
    _ pointer: UnsafePointer<CChar>?, _ name: String, atMost limit: Int = longest
  ) throws(Failure) -> String? {
    let text = try unsafe copy(pointer, name, atMost: limit)
    guard text != "" else {
      throw Failure(.errSecParam, "\(name) is empty", hint: "pass NULL where none is meant")
    }
    return text
  }
}
