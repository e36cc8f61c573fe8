import CClientLibrary
import Glibc
import Protocol

/// Reads structs of callers that may be compiled with another version of the header.
enum GivenStruct {
  /// No struct of any version is longer, in bytes.
  private static let longest = 4096

  /// A copy of a caller's struct, with 0 in fields that the caller does not know.
  /// - Parameters:
  ///   - pointer: the struct; its first field is its size, as the caller knows it.
  ///   - empty: a struct of zeros.
  ///   - name: the argument's name.
  /// - Returns: the copy, or nil for NULL.
  /// - Throws: `errSecParam` for a size that no version has, `unsupported` if the caller uses a
  ///   field that this version does not have.
  @unsafe static func copy<Struct: BitwiseCopyable>(
    _ pointer: UnsafePointer<Struct>?, _ empty: Struct, _ name: String
  ) throws(Failure) -> Struct? {
    guard let start = unsafe pointer.map({ unsafe UnsafeRawPointer($0) }) else { return nil }
    let known = MemoryLayout<Struct>.stride
    let size = Int(unsafe start.loadUnaligned(as: UInt32.self))
    guard size >= known, size <= longest else {
      throw Failure(
        .errSecParam, "\(name)->struct_size is \(size), and the struct has \(known) bytes",
        hint: "set it to the sizeof of the struct, and unused fields to 0")
    }
    let isMoreUsed = unsafe UnsafeRawBufferPointer(start: start, count: size)
      .dropFirst(known).contains { $0 != 0 }
    guard !isMoreUsed else {
      throw Failure(
        .unsupported, "\(name) has a field that this version of libauthcore-client does not know",
        hint: "install the version of authcore that the program was built with, or a later one")
    }
    var copy = empty
    unsafe withUnsafeMutableBytes(of: &copy) {
      unsafe $0.baseAddress?.copyMemory(from: start, byteCount: known)
    }
    return copy
  }

  /// Like ``copy(_:_:_:)``, for a struct that is written to.
  @unsafe static func copy<Struct: BitwiseCopyable>(
    _ pointer: UnsafeMutablePointer<Struct>?, _ empty: Struct, _ name: String
  ) throws(Failure) -> Struct? {
    try unsafe copy(UnsafePointer(pointer), empty, name)
  }

  /// - Throws: `errSecParam` if an unknown flag is set.
  static func require(flags: UInt32, within known: UInt32, _ name: String) throws(Failure) {
    guard flags & ~known == 0 else {
      throw .outOfRange(name, "the flags that authcore/client.h names for it")
    }
  }
}

/// What is wrong with a caller's arguments: `errSecParam` with the names of the header.
extension Failure {
  /// A required argument is NULL.
  static func missing(_ argument: String) -> Failure {
    Failure(.errSecParam, "\(argument) is NULL", hint: "see authcore/client.h")
  }

  /// A value outside of its range.
  static func outOfRange(_ argument: String, _ range: String) -> Failure {
    Failure(.errSecParam, "\(argument) is out of range", hint: "it takes \(range)")
  }

  /// A field that has no meaning here.
  static func unusable(_ argument: String, _ reason: String) -> Failure {
    Failure(.errSecParam, "\(argument) cannot be given here: \(reason)", hint: "leave it NULL or 0")
  }
}

enum GivenText {
  /// The longest text that most arguments take, in bytes.
  static let longest = Int(AC_CLIENT_LONGEST_TEXT)

  /// A copy of a caller's NUL-terminated text of at most `limit` bytes, or nil for NULL.
  /// - Throws: `errSecParam` if it is longer or not UTF-8.
  @unsafe static func copy(
    _ pointer: UnsafePointer<CChar>?, _ name: String, atMost limit: Int = longest
  ) throws(Failure) -> String? {
    guard let pointer = unsafe pointer else { return nil }
    // Text that is far too long is not read to its end.
    let count = unsafe strnlen(pointer, limit + 1)
    guard count <= limit else {
      throw Failure(
        .errSecParam, "\(name) is too long", hint: "it takes at most \(limit) bytes, and a NUL")
    }
    let bytes = unsafe UnsafeRawBufferPointer(start: pointer, count: count)
    return try unsafe copy(bytes, name)
  }

  @unsafe static func copy(
    _ bytes: UnsafeRawBufferPointer, _ name: String
  ) throws(Failure) -> String {
    guard let text = unsafe String(validating: bytes, as: UTF8.self) else {
      throw Failure(.errSecParam, "\(name) is not UTF-8", hint: "encode it as UTF-8")
    }
    return text
  }

  /// Like ``copy(_:_:atMost:)``, for text that must not be empty.
  @unsafe static func named(
    _ pointer: UnsafePointer<CChar>?, _ name: String, atMost limit: Int = longest
  ) throws(Failure) -> String? {
    let text = try unsafe copy(pointer, name, atMost: limit)
    guard text != "" else {
      throw Failure(.errSecParam, "\(name) is empty", hint: "pass NULL for none")
    }
    return text
  }
}

enum GivenBytes {
  /// A copy of a caller's secret of at most `limit` bytes. The pointer may be NULL if `count` is 0.
  /// - Throws: `errSecParam` if it is missing or too long.
  @unsafe static func secret(
    _ pointer: UnsafePointer<UInt8>?, _ count: Int, _ name: String, atMost limit: Int
  ) throws(Failure) -> SecretBytes {
    let bytes = try unsafe checked(pointer, count, name, atMost: limit)
    return unsafe SecretBytes(copying: bytes.bindMemory(to: UInt8.self).span)
  }

  /// A copy of bytes that are not secret; otherwise like ``secret(_:_:_:atMost:)``.
  @unsafe static func copy(
    _ pointer: UnsafeRawPointer?, _ count: Int, _ name: String, atMost limit: Int
  ) throws(Failure) -> [UInt8] {
    unsafe Array(try checked(pointer, count, name, atMost: limit))
  }

  /// The caller's bytes, checked but not copied.
  @unsafe static func checked(
    _ pointer: UnsafeRawPointer?, _ count: Int, _ name: String, atMost limit: Int
  ) throws(Failure) -> UnsafeRawBufferPointer {
    // size_t is imported as Int: what is larger than that is negative here.
    guard count >= 0, count <= limit else {
      throw .outOfRange("the size of \(name)", "at most \(limit) bytes")
    }
    guard unsafe pointer != nil || count == 0 else { throw .missing(name) }
    return unsafe UnsafeRawBufferPointer(start: pointer, count: count)
  }
}
