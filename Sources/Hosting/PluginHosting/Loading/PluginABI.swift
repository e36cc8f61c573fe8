import AuthcoreABI
import Glibc
import Protocol

/// The versions of the ABI, and how a table that a plugin hands out is looked at.
package enum PluginABI {
  /// `AC_SENSOR_ABI`, a macro that Swift does not import.
  package static let sensor = UInt32(AC_SENSOR_ABI_MAJOR) << 16 | UInt32(AC_SENSOR_ABI_MINOR)
  /// `AC_TRANSPORT_ABI`
  package static let transport =
    UInt32(AC_TRANSPORT_ABI_MAJOR) << 16 | UInt32(AC_TRANSPORT_ABI_MINOR)
  /// `AC_ENGINE_ABI`
  package static let engine: UInt32 = 1 << 16 | 1
  /// `AC_MODEL_ABI`
  package static let model: UInt32 = 1 << 16

  /// "1.0"
  static func text(_ version: UInt32) -> String { "\(version >> 16).\(version & 0xffff)" }

  /// Refuses another major version, and a version before `oldest`.
  static func check(
    _ version: UInt32, against own: UInt32, from oldest: UInt32 = 0, of path: String,
    code: FailureCode
  ) throws(Failure) {
    guard version >> 16 == own >> 16, version >= oldest else {
      throw Failure(
        code,
        "Cannot use \(path): it was built for version \(text(version)) of the plugin interface; "
          + "this is \(text(own))",
        hint: oldest == own
          ? "install the one that comes with this version of authcore"
          : "install a build for version \(own >> 16)")
    }
  }

  /// A struct that is shorter than in 1.0 lacks what every plugin must have.
  static func check(
    structSize: UInt32, atLeast size: Int, _ name: StaticString, of path: String, code: FailureCode
  ) throws(Failure) {
    guard Int(structSize) >= size else {
      throw Failure(
        code,
        "Cannot use \(path): its \(name) says it is \(structSize) bytes long; "
          + "in version 1.0 it has \(size)")
    }
  }

  /// A plugin's text: at most `limit` bytes, without line breaks and other control characters; what
  /// is no UTF-8 becomes U+FFFD.
  @unsafe static func text(_ pointer: UnsafePointer<CChar>?, limit: Int = 1024) -> String? {
    guard let pointer = unsafe pointer else { return nil }
    let count = unsafe strnlen(pointer, limit)
    let bytes = unsafe UnsafeBufferPointer(start: pointer, count: count)
    let clean = unsafe bytes.map { byte in
      let value = UInt8(bitPattern: byte)
      return value < 0x20 || value == 0x7f ? UInt8(ascii: " ") : value
    }
    return String(decoding: clean, as: UTF8.self)
  }
}
