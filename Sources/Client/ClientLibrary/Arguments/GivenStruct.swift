import Protocol

/// Structs of callers that were compiled with another version of the header.
enum GivenStruct {
  /// No struct of any version is longer, in bytes.
  private static let longest = 4096

  /// A copy of a caller's struct, with 0 where the caller knows no field.
  /// - Parameters:
  ///   - pointer: the struct; its first field is its size, as the caller knows it.
  ///   - empty: one whose fields are all 0.
  ///   - name: the argument's.
  /// - Returns: the copy; nil for NULL.
  /// - Throws: `errSecParam` for a size that no version has, `unsupported` where the caller uses a
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
        hint: "set it to the sizeof of the struct, and what is not used to 0")
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

  /// As ``copy(_:_:_:)``, for what is written to.
  @unsafe static func copy<Struct: BitwiseCopyable>(
    _ pointer: UnsafeMutablePointer<Struct>?, _ empty: Struct, _ name: String
  ) throws(Failure) -> Struct? {
    try unsafe copy(UnsafePointer(pointer), empty, name)
  }

  /// - Throws: `errSecParam` where a flag is set that there is not.
  static func require(flags: UInt32, within known: UInt32, _ name: String) throws(Failure) {
    guard flags & ~known == 0 else {
      throw .outOfRange(name, "the flags that authcore/client.h names for it")
    }
  }
}

/// What is wrong with a caller's arguments: `errSecParam`, which names them as the header does.
extension Failure {
  /// NULL where something has to be.
  static func missing(_ argument: String) -> Failure {
    Failure(.errSecParam, "\(argument) is NULL", hint: "see authcore/client.h")
  }

  /// A value that is none of those there are.
  static func outOfRange(_ argument: String, _ range: String) -> Failure {
    Failure(.errSecParam, "\(argument) is out of range", hint: "it takes \(range)")
  }

  /// A field that means nothing here.
  static func unusable(_ argument: String, _ reason: String) -> Failure {
    Failure(.errSecParam, "\(argument) cannot be given here: \(reason)", hint: "leave it NULL or 0")
  }
}
