import AuthcoreABI
import Glibc
package import LinuxSystem
package import Protocol

/// A plugin that is mapped and not entered yet. In between a sandbox can close, and what its
/// constructors left can be checked. It stays mapped until the process ends, because Swift images
/// cannot be unloaded.
@safe
package struct MappedPlugin: ~Copyable {
  private let handle: UnsafeMutableRawPointer
  let path: String

  /// Loads a file, which runs its constructors. Every symbol is bound at once, because a sandbox
  /// closes later.
  /// - Throws: `code`, with the loader's reason.
  package init(_ file: TrustedFile, code: FailureCode = .driverFailed) throws(Failure) {
    path = file.path
    guard let handle = unsafe dlopen(file.path, RTLD_NOW | RTLD_LOCAL) else {
      // dlerror's text is copied before another call can replace it.
      let reason = unsafe dlerror().map { unsafe String(cString: $0) } ?? "no reason given"
      throw Failure(
        code, "Cannot load \(file.path): \(Self.tidy(reason, path: file.path))",
        hint: "a plugin is a shared object for this machine; a driver's libraries can lie beside it"
      )
    }
    unsafe self.handle = handle
  }

  /// The address of an exported function.
  /// - Parameters:
  ///   - name: the symbol.
  ///   - type: exactly the C type that include/ declares for it.
  ///   - code: of the failure if it is missing.
  /// - Returns: the function, valid until the process ends.
  /// - Throws: `code`, naming file and symbol.
  @unsafe borrowing func function<Function>(
    _ name: String, as type: Function.Type, code: FailureCode
  ) throws(Failure) -> Function {
    guard let symbol = unsafe dlsym(handle, name) else {
      throw Failure(
        code, "Cannot use \(path): it does not export \(name), so it is no such plugin of authcore")
    }
    return unsafe unsafeBitCast(symbol, to: type)
  }

  /// Calls the entry of a driver, a transport or a device model, which have the same form.
  /// - Parameters:
  ///   - symbol: the entry's name.
  ///   - services: what the plugin is given.
  /// - Returns: its table, whose type the caller knows by the symbol, and checks.
  /// - Throws: `driverFailed` naming the file and the reason.
  @unsafe borrowing func enter(
    _ symbol: String, services: HostServices
  ) throws(Failure) -> UnsafeRawPointer {
    let entry = unsafe try function(symbol, as: Entry.self, code: .driverFailed)
    var table: UnsafeRawPointer?
    let status = unsafe entry(services.table, &table)
    guard status == AC_OK, let table = unsafe table else {
      if status == AC_ERR_ABI {
        throw Failure(
          .driverFailed,
          "Cannot use \(path): it was built for another version of the plugin interface",
          hint: "install a build for version \(PluginABI.sensor >> 16)")
      }
      let reason = services.takeError() ?? "\(symbol) returned \(status)"
      throw Failure(.driverFailed, "Cannot use \(path): \(reason)")
    }
    return unsafe table
  }

  /// `ac_sensor_entry`, `ac_transport_entry` and `ac_device_model_entry`, apart from the table's
  /// type.
  private typealias Entry =
    @convention(c) (UnsafePointer<ac_host_t>?, UnsafeMutablePointer<UnsafeRawPointer?>?) ->
    ac_status_t

  private static func tidy(_ reason: String, path: String) -> String {
    reason.hasPrefix(path + ": ") ? String(reason.dropFirst(path.utf8.count + 2)) : reason
  }
}

/// The versions of the ABI, and checks of the tables that plugins provide.
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

  /// Refuses a table that lacks a function.
  static func check(
    _ functions: [(name: String, isMissing: Bool)], of path: String, code: FailureCode
  ) throws(Failure) {
    for function in functions where function.isMissing {
      throw Failure(code, "Cannot use \(path): its function \(function.name) is NULL")
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

  /// A plugin's text: at most `limit` bytes, without control characters; invalid UTF-8 becomes
  /// U+FFFD.
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
