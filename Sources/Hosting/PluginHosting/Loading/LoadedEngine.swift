import AuthcoreABI
package import LinuxSystem
package import Protocol

/// An engine in this process: loaded, checked, created. Destroyed with the value; its code stays.
///
/// Calls must not overlap, which `mutating` ensures, and belong to one thread unless the engine's
/// author says otherwise.
@safe
package struct LoadedEngine: ~Copyable, @unchecked Sendable {
  // Sendable: the engine is reached through this one value only.

  package let kind: EngineKind
  package let name: String
  package let version: String
  package let abiVersion: UInt32
  package let path: String
  private let table: UnsafePointer<ac_engine_plugin_t>
  private let engine: OpaquePointer
  private let services: HostServices

  private typealias Entry =
    @convention(c) (
      UnsafePointer<ac_host_t>?, UnsafeMutablePointer<UnsafePointer<ac_engine_plugin_t>?>?
    ) -> ac_status_t

  /// An engine that was entered, and not created yet.
  @safe package struct Entered: ~Copyable {
    fileprivate let table: UnsafePointer<ac_engine_plugin_t>
    fileprivate let kind: EngineKind
    fileprivate let path: String
    fileprivate let services: HostServices

    /// Creates the engine.
    /// - Throws: `engineFailed`, `storageFailed` or `stateDamaged` with the engine's reason.
    package consuming func create() throws(Failure) -> LoadedEngine { try LoadedEngine(self) }
  }

  /// Calls the entry and checks its table.
  /// - Throws: `engineFailed` naming the file and what does not fit.
  package static func enter(
    _ plugin: consuming MappedPlugin, _ kind: EngineKind, services: HostServices
  ) throws(Failure) -> Entered {
    let path = plugin.path
    let entry = unsafe try plugin.function(
      AC_ENGINE_ENTRY_SYMBOL, as: Entry.self, code: .engineFailed)
    var result: UnsafePointer<ac_engine_plugin_t>?
    let status = unsafe entry(services.table, &result)
    guard status == AC_OK, let table = unsafe result else {
      throw refusal(path, AC_ENGINE_ENTRY_SYMBOL, status, services)
    }
    try unsafe PluginABI.check(
      structSize: table.pointee.struct_size, atLeast: MemoryLayout<ac_engine_plugin_t>.size,
      "ac_engine_plugin_t", of: path, code: .engineFailed)
    try unsafe PluginABI.check(
      table.pointee.abi_version, against: PluginABI.engine,
      from: kind == .policy ? 0 : PluginABI.engine, of: path, code: .engineFailed)
    guard unsafe table.pointee.kind == kind.rawValue else {
      throw Failure(.engineFailed, "Cannot use \(path): it is no \(kind.name) engine")
    }
    let functions = unsafe [
      ("create", table.pointee.create == nil), ("call", table.pointee.call == nil),
      ("destroy", table.pointee.destroy == nil),
    ]
    try PluginABI.check(functions, of: path, code: .engineFailed)
    return unsafe Entered(table: table, kind: kind, path: path, services: services)
  }

  /// Loads, enters and creates an engine.
  /// - Throws: `engineFailed`, `storageFailed` or `stateDamaged`, naming the file.
  package init(_ file: TrustedFile, kind: EngineKind, services: HostServices) throws(Failure) {
    let plugin = try MappedPlugin(file, code: .engineFailed)
    self = try Self.enter(plugin, kind, services: services).create()
  }

  private init(_ entered: consuming Entered) throws(Failure) {
    _ = entered.services.takeError()
    var result: OpaquePointer?
    let status = unsafe entered.table.pointee.create(&result)
    guard status == AC_OK, let engine = unsafe result else {
      throw Self.refusal(entered.path, "create", status, entered.services)
    }
    unsafe self.engine = engine
    unsafe table = entered.table
    abiVersion = unsafe entered.table.pointee.abi_version
    kind = entered.kind
    name = unsafe PluginABI.text(entered.table.pointee.name, limit: 64) ?? entered.kind.name
    version = unsafe PluginABI.text(entered.table.pointee.version, limit: 64) ?? "unknown"
    path = entered.path
    services = entered.services
  }

  /// Sends one request.
  /// - Returns: the engine's one reply.
  /// - Throws: `engineFailed` if the engine is broken; it must not be called again then.
  package mutating func call(_ request: Span<UInt8>) throws(Failure) -> SecretBytes {
    let replies = ReplyBox()
    _ = services.takeError()
    let status = unsafe request.withUnsafeBufferPointer { bytes in
      unsafe table.pointee.call(
        engine, bytes.baseAddress, bytes.count,
        { context, bytes, count in
          guard let context = unsafe context else { return }
          // The box below, which lives until the call returns.
          unsafe Unmanaged<ReplyBox>.fromOpaque(context).takeUnretainedValue().take(bytes, count)
        }, Unmanaged.passUnretained(replies).toOpaque())
    }
    guard status == AC_OK else { throw Self.refusal(path, "call", status, services) }
    guard let reply = replies.reply.take(), replies.count == 1 else {
      throw Failure(
        .engineFailed, "The \(kind.name) engine \(path) gave \(replies.count) replies to a request")
    }
    return reply
  }

  private static func refusal(
    _ path: String, _ function: String, _ status: ac_status_t, _ services: HostServices
  ) -> Failure {
    let code: FailureCode =
      switch Int(status) {
      case Int(AC_ERR_IO): .storageFailed
      case Int(AC_ERR_DATA): .stateDamaged
      default: .engineFailed
      }
    if let message = services.takeError() { return Failure(code, message, hint: "engine: \(path)") }
    if status == AC_ERR_ABI {
      return Failure(
        code, "Cannot use \(path): it was built for another version of the plugin interface",
        hint: "install a build for version \(PluginABI.engine >> 16)")
    }
    return Failure(code, "The engine \(path) failed: \(function) returned \(status)")
  }

  deinit { unsafe table.pointee.destroy(engine) }
}

/// Collects the replies to one call. One thread.
private final class ReplyBox {
  var reply: SecretBytes?
  var count = 0

  func take(_ bytes: UnsafePointer<UInt8>?, _ length: Int) {
    count += 1
    guard 0...HostProtocol.maximumEngineMessage ~= length else { return }
    guard let bytes = unsafe bytes else {
      reply = SecretBytes(count: 0)
      return
    }
    // The engine keeps the bytes valid during this call (engine.h).
    unsafe reply = SecretBytes(copying: Span(_unsafeStart: bytes, count: length))
  }
}
