package import AuthcoreABI
package import Protocol

/// The host's services, for one engine. All calls belong to the engine's one thread.
@safe
package final class EngineServices {
  private let host: UnsafePointer<ac_host_t>
  private let clock: UnsafePointer<ac_clock_service_t>
  private let randomSource: UnsafePointer<ac_random_service_t>

  /// - Parameter host: valid until the process ends (common.h).
  /// - Throws: a failure naming a service that every engine needs and this host lacks.
  @unsafe package init(host: UnsafePointer<ac_host_t>) throws(Failure) {
    unsafe self.host = host
    unsafe clock = try Self.require(host, "clock/1")
    unsafe randomSource = try Self.require(host, "random/1")
  }

  @unsafe private static func find<Table>(
    _ host: UnsafePointer<ac_host_t>, _ name: StaticString
  ) -> UnsafePointer<Table>? {
    unsafe host.pointee.service(
      host.pointee.context,
      UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self))?
      .assumingMemoryBound(to: Table.self)
  }

  @unsafe private static func require<Table>(
    _ host: UnsafePointer<ac_host_t>, _ name: StaticString
  ) throws(Failure) -> UnsafePointer<Table> {
    guard let table: UnsafePointer<Table> = unsafe find(host, name) else {
      throw Failure(.engineFailed, "the host of this engine has no service \(name)")
    }
    return unsafe table
  }

  /// Writes a line to the log. Never log a secret.
  package func log(_ level: ac_log_level_t, _ text: String) {
    unsafe text.withCString { unsafe host.pointee.log(host.pointee.context, level, $0) }
  }

  /// Nanoseconds since boot, suspended time included.
  package var bootTime: UInt64 { unsafe clock.pointee.boot_time_ns() }

  /// Seconds since 1970; may jump.
  package var wallClock: Int64 { unsafe clock.pointee.wall_clock_s() }

  /// The kernel's 16 bytes that name this boot (`boot/1`), or empty if there are none.
  package var bootIdentity: [UInt8] {
    guard let boot: UnsafePointer<ac_boot_service_t> = unsafe Self.find(host, "boot/1") else {
      return []
    }
    var identity = [UInt8](repeating: 0, count: 16)
    let status = unsafe identity.withUnsafeMutableBufferPointer {
      unsafe boot.pointee.boot_id($0.baseAddress)
    }
    return status == AC_OK ? identity : []
  }

  /// Random bytes from the kernel.
  package func random(count: Int) throws(Failure) -> SecretBytes {
    var bytes = SecretBytes(count: count)
    let status = unsafe bytes.withUnsafeMutableBytes { buffer in
      unsafe randomSource.pointee.fill(
        buffer.baseAddress?.assumingMemoryBound(to: UInt8.self), buffer.count)
    }
    guard status == AC_OK else {
      throw Failure(.engineFailed, "the kernel gives no random bytes")
    }
    return bytes
  }

  /// Sends an event to the core. Does nothing if the host takes no events.
  package func emit(_ event: borrowing SecretBytes) {
    guard
      let events: UnsafePointer<ac_event_service_t> = unsafe Self.find(host, "events/1")
    else { return }
    unsafe event.withUnsafeBytes { bytes in
      unsafe events.pointee.emit(
        events.pointee.context, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self),
        bytes.count)
    }
  }

  /// The absolute path of the folder this engine keeps its files in (`folder/1`), or nil.
  package var folder: String? {
    guard let table: UnsafePointer<ac_folder_service_t> = unsafe Self.find(host, "folder/1"),
      let path = unsafe table.pointee.path
    else { return nil }
    return unsafe String(validatingCString: path)
  }

  /// The user whose items a keychain keeps (`owner/1`). nil means the user of this process.
  package var owner: UInt32? {
    guard let table: UnsafePointer<ac_owner_service_t> = unsafe Self.find(host, "owner/1") else {
      return nil
    }
    return unsafe table.pointee.user
  }

  /// Reads a file of the engine's folder (`store/1`). Returns nil if there is none.
  ///
  /// - Throws: `stateDamaged` if it is larger than `limit` bytes, or `storageFailed`.
  package func load(_ name: String, limit: Int) throws(Failure) -> SecretBytes? {
    let store: UnsafePointer<ac_store_service_t> = unsafe try Self.require(host, "store/1")
    var buffer = SecretBytes(count: limit)
    var count = 0
    let status = unsafe buffer.withUnsafeMutableBytes { target in
      unsafe name.withCString { name in
        unsafe store.pointee.load(
          store.pointee.context, name, target.baseAddress?.assumingMemoryBound(to: UInt8.self),
          target.count, &count)
      }
    }
    switch Int(status) {
    case AC_OK: return SecretBytes(copying: buffer.bytes.extracting(first: min(count, limit)))
    case AC_ERR_NOT_FOUND: return nil
    case AC_ERR_MEMORY:
      throw Failure(
        .stateDamaged, "the state file \(name) is \(count) bytes long; at most \(limit) make sense",
        hint: "restore the file from a backup, or move the state folder away and start afresh")
    default:
      throw Self.storageFailure(name, "cannot be read")
    }
  }

  /// Replaces a file of the engine's folder in one durable step. On failure the old file stays.
  package func save(_ name: String, _ bytes: borrowing SecretBytes) throws(Failure) {
    let store: UnsafePointer<ac_store_service_t> = unsafe try Self.require(host, "store/1")
    let status = unsafe bytes.withUnsafeBytes { source in
      unsafe name.withCString { name in
        unsafe store.pointee.save(
          store.pointee.context, name, source.baseAddress?.assumingMemoryBound(to: UInt8.self),
          source.count)
      }
    }
    guard status == AC_OK else {
      throw Failure(
        .storageFailed, "the state file \(name) cannot be written; the old one is untouched",
        hint: "check free space and permissions of the state folder")
    }
  }

  /// Removes a file of the engine's folder, durably.
  package func remove(_ name: String) throws(Failure) {
    let store: UnsafePointer<ac_store_service_t> = unsafe try Self.require(host, "store/1")
    let status = unsafe name.withCString { unsafe store.pointee.remove(store.pointee.context, $0) }
    guard status == AC_OK else {
      throw Self.storageFailure(name, "cannot be removed")
    }
  }

  private static func storageFailure(_ name: String, _ problem: String) -> Failure {
    Failure(
      .storageFailed, "the state file \(name) \(problem)",
      hint: "check the permissions of the state folder")
  }

  /// Sends one command of 10 to 4,096 bytes to the TPM (`tpm/1`), and waits for its response, which
  /// is written only with `AC_OK`.
  ///
  /// - Returns: as engine.h says; `AC_ERR_NOT_FOUND` also if the host has no such service.
  package func transmitToTPM(
    _ command: Span<UInt8>, milliseconds: UInt32, response: inout [UInt8]
  ) -> ac_status_t {
    guard let tpm: UnsafePointer<ac_tpm_service_t> = unsafe Self.find(host, "tpm/1") else {
      return ac_status_t(AC_ERR_NOT_FOUND)
    }
    var buffer = [UInt8](repeating: 0, count: Self.largestTPMResponse)
    var count = 0
    let status = unsafe command.withUnsafeBufferPointer { command in
      unsafe tpm.pointee.transmit(
        tpm.pointee.context, command.baseAddress, command.count, milliseconds, &buffer,
        buffer.count, &count)
    }
    if status == AC_OK { response = Array(buffer.prefix(max(0, count))) }
    return status
  }

  /// `TPM2_MAX_RESPONSE_SIZE`, in bytes.
  private static let largestTPMResponse = 4096

  /// Sends a message of the keychain to the enclave, and waits for the reply (`enclave/1`).
  package func callEnclave(_ request: borrowing SecretBytes) throws(Failure) -> SecretBytes {
    let enclave: UnsafePointer<ac_enclave_service_t> = unsafe try Self.require(host, "enclave/1")
    let box = ReplyBox()
    let status = unsafe request.withUnsafeBytes { bytes in
      unsafe enclave.pointee.call(
        enclave.pointee.context, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self),
        bytes.count, receiveReply, Unmanaged.passUnretained(box).toOpaque())
    }
    guard status == AC_OK, let reply = box.take() else {
      throw Failure(
        .engineFailed, "the enclave ended while it was needed",
        hint: "run the command again; the enclave restarts locked")
    }
    return reply
  }
}

/// Holds the reply of one call to the enclave. Used by one thread, within that call.
final class ReplyBox {
  private var reply: SecretBytes?

  func put(_ bytes: consuming SecretBytes) { reply = consume bytes }

  func take() -> SecretBytes? { reply.take() }
}

/// `ac_engine_reply_t`: copies the reply into the box that `context` is.
private func receiveReply(
  _ context: UnsafeMutableRawPointer?, _ bytes: UnsafePointer<UInt8>?, _ count: Int
) {
  guard let context = unsafe context else { return }
  let box = unsafe Unmanaged<ReplyBox>.fromOpaque(context).takeUnretainedValue()
  guard let bytes = unsafe bytes else { return box.put(SecretBytes(count: 0)) }
  // The sender keeps the bytes valid during this call (engine.h).
  unsafe box.put(SecretBytes(copying: Span(_unsafeStart: bytes, count: count)))
}
