package import AuthcoreABI
package import Protocol

/// What the author of an engine writes. ``EngineExport`` makes the C table of engine.h from it.
package protocol Engine: AnyObject {
  /// Enclave, keychain or policy (`AC_ENGINE_…`).
  static var kind: ac_engine_kind_t { get }
  /// For people: lower case, digits and '-'.
  static var name: StaticString { get }
  static var version: StaticString { get }

  /// Readies the engine. A failure ends its host, with that message.
  init(services: EngineServices) throws(Failure)

  /// Handles one request (message number and fields), and returns the reply: a message or an
  /// encoded ``Failure``. Never called concurrently. Must not trap on any bytes.
  func handle(_ request: Span<UInt8>) -> SecretBytes
}

/// The C table of one engine. The engine's module holds the entry point:
///
///     @c @implementation
///     public func ac_engine_entry(
///       _ host: UnsafePointer<ac_host_t>!,
///       _ ret_engine: UnsafeMutablePointer<UnsafePointer<ac_engine_plugin_t>?>!
///     ) -> ac_status_t { unsafe EngineExport.enter(MyEngine.self, host, ret_engine) }
package enum EngineExport {
  /// What the entry call leaves for `create`. A process loads and enters an engine once, on its one
  /// thread.
  @safe private struct Entered {
    var type: (any Engine.Type)?
    var host: UnsafePointer<ac_host_t>?
  }
  // Written by the entry call and read by create, both on the engine's thread (engine.h, [owner]).
  private nonisolated(unsafe) static var entered = Entered()

  /// Checks the host's version, and gives it the table for `type`.
  @unsafe package static func enter(
    _ type: any Engine.Type, _ host: UnsafePointer<ac_host_t>?,
    _ result: UnsafeMutablePointer<UnsafePointer<ac_engine_plugin_t>?>?
  ) -> ac_status_t {
    guard let host = unsafe host, let result = unsafe result else {
      return ac_status_t(AC_ERR_ARGUMENT)
    }
    guard unsafe host.pointee.abi_version >> 16 == abiVersion >> 16 else {
      return ac_status_t(AC_ERR_ABI)
    }
    unsafe entered = Entered(type: type, host: host)
    // Lives until the process ends: nothing is ever unloaded.
    let table = UnsafeMutablePointer<ac_engine_plugin_t>.allocate(capacity: 1)
    unsafe table.initialize(
      to: ac_engine_plugin_t(
        struct_size: UInt32(MemoryLayout<ac_engine_plugin_t>.size), abi_version: abiVersion,
        kind: type.kind, name: text(type.name), version: text(type.version),
        create: { unsafe EngineExport.create($0) },
        call: { unsafe EngineExport.call($0, $1, $2, $3, $4) },
        destroy: { unsafe EngineExport.destroy($0) }))
    unsafe result.pointee = UnsafePointer(table)
    return ac_status_t(AC_OK)
  }

  /// `AC_ENGINE_ABI`, a macro that Swift does not import.
  private static var abiVersion: UInt32 { 1 << 16 | 1 }

  private static func text(_ text: StaticString) -> UnsafePointer<CChar> {
    unsafe UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
  }

  private static func create(
    _ result: UnsafeMutablePointer<OpaquePointer?>?
  ) -> ac_status_t {
    guard let result = unsafe result, let type = unsafe entered.type,
      let host = unsafe entered.host
    else { return ac_status_t(AC_ERR_STATE) }
    do throws(Failure) {
      let services = unsafe try EngineServices(host: host)
      let engine = try type.init(services: services)
      unsafe result.pointee = OpaquePointer(Unmanaged.passRetained(EngineBox(engine)).toOpaque())
      return ac_status_t(AC_OK)
    } catch {
      unsafe error.message.withCString { unsafe host.pointee.set_error(host.pointee.context, $0) }
      return ac_status_t(AC_ERR_STATE)
    }
  }

  private static func call(
    _ engine: OpaquePointer?, _ request: UnsafePointer<UInt8>?, _ count: Int,
    _ reply: ac_engine_reply_t?, _ context: UnsafeMutableRawPointer?
  ) -> ac_status_t {
    guard let engine = unsafe engine, let request = unsafe request, let reply = unsafe reply else {
      return ac_status_t(AC_ERR_ARGUMENT)
    }
    let box = unsafe Unmanaged<EngineBox>.fromOpaque(UnsafeRawPointer(engine)).takeUnretainedValue()
    // The caller keeps the request valid during this call (engine.h).
    let response = unsafe box.engine.handle(Span(_unsafeStart: request, count: count))
    unsafe response.withUnsafeBytes { bytes in
      unsafe reply(
        context, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
    }
    return ac_status_t(AC_OK)
  }

  private static func destroy(_ engine: OpaquePointer?) {
    guard let engine = unsafe engine else { return }
    unsafe Unmanaged<EngineBox>.fromOpaque(UnsafeRawPointer(engine)).release()
  }
}

/// Gives an existential a stable address for C.
private final class EngineBox {
  let engine: any Engine
  init(_ engine: any Engine) { self.engine = engine }
}
