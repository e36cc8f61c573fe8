import AuthcoreABI
import CSystemCalls
import FrameAssembly
import Glibc
import LinuxSystem
package import Protocol
import Synchronization

/// What a process gives the plugin it hosts: the table of common.h and the tables of its services.
///
/// Never freed, because the plugin may call at any time.
@safe
package final class HostServices: @unchecked Sendable {
  // Sendable: the tables are written only in init, what changes is behind a Mutex, and the closures
  // are Sendable.

  /// The enclave's answer to a message, or nil if the enclave has ended.
  package typealias EnclaveCall = @Sendable (Span<UInt8>) -> SecretBytes?

  let table: UnsafeMutablePointer<ac_host_t>
  private var services: [(name: StaticString, table: UnsafeRawPointer)] = unsafe []
  private let writeLog: @Sendable (PluginLogLevel, String) -> Void
  let emit: (@Sendable (Span<UInt8>) -> Void)?
  private let askToLift: (@Sendable () -> Void)?
  let callEnclave: EnclaveCall?
  let store: FolderStore?
  let tpm: TPMDevice?
  private let message = Mutex<String?>(nil)
  /// Addresses of the tables of devices, which come and go; a pointer is not Sendable.
  private let devices = Mutex<[String: UInt]>([:])

  /// The services clock/1, random/1, boot/1 and assemble/1, and those with an argument.
  /// - Parameters:
  ///   - abiVersion: of the ABI that the plugin is loaded for.
  ///   - folder: folder/1: an absolute path; exists, mode 0700.
  ///   - store: store/1.
  ///   - tpm: tpm/1.
  ///   - log: takes the plugin's lines, from any thread.
  ///   - events: events/1: takes messages outside of calls; the bytes are valid during the call.
  ///   - enclave: enclave/1.
  ///   - owner: owner/1: the user whose items a keychain keeps.
  ///   - lift: lift/1: asks for a finger to be lifted.
  package init(
    abiVersion: UInt32 = PluginABI.engine, folder: String? = nil, store: FolderStore? = nil,
    tpm: TPMDevice? = nil,
    log: @escaping @Sendable (PluginLogLevel, String) -> Void,
    events: (@Sendable (Span<UInt8>) -> Void)? = nil, enclave: EnclaveCall? = nil,
    owner: UInt32? = nil, lift: (@Sendable () -> Void)? = nil
  ) {
    writeLog = log
    (emit, askToLift) = (events, lift)
    callEnclave = enclave
    (self.store, self.tpm) = (store, tpm)
    unsafe table = .allocate(capacity: 1)
    let context = unsafe Unmanaged.passRetained(self).toOpaque()
    unsafe table.initialize(
      to: ac_host_t(
        struct_size: UInt32(MemoryLayout<ac_host_t>.size), abi_version: abiVersion,
        context: context,
        log: { context, level, text in
          guard let text = unsafe PluginABI.text(text) else { return }
          unsafe HostServices.at(context)?.writeLog(PluginLogLevel(rawValue: level) ?? .info, text)
        },
        set_error: { context, text in
          guard let text = unsafe PluginABI.text(text) else { return }
          unsafe HostServices.at(context)?.message.withLock { $0 = text }
        },
        service: { context, name in
          guard let name = unsafe PluginABI.text(name, limit: 64) else { return nil }
          return unsafe HostServices.at(context)?.table(of: name)
        }))
    addKernelServices()
    add("assemble/1", AssembleService.table())
    if let folder { unsafe add("folder/1", Self.folderTable(folder)) }
    if store != nil { unsafe add("store/1", Self.storeTable(context)) }
    if tpm != nil { unsafe add("tpm/1", Self.tpmTable(context)) }
    if events != nil { unsafe add("events/1", Self.eventTable(context)) }
    if enclave != nil { unsafe add("enclave/1", Self.enclaveTable(context)) }
    if lift != nil {
      unsafe add(
        "lift/1",
        ac_lift_service_t(
          struct_size: UInt32(MemoryLayout<ac_lift_service_t>.size), context: context,
          ask: { context in unsafe HostServices.at(context)?.askToLift?() }))
    }
    if let owner {
      add(
        "owner/1",
        ac_owner_service_t(struct_size: UInt32(MemoryLayout<ac_owner_service_t>.size), user: owner))
    }
  }

  /// The object behind a context pointer, which `init` made and which is never released.
  @unsafe static func at(_ context: UnsafeMutableRawPointer?) -> HostServices? {
    unsafe context.map { unsafe Unmanaged<HostServices>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Sets why the plugin is about to fail, or why a service failed.
  func setError(_ text: String) { message.withLock { $0 = text } }

  /// Takes the last message, so that the next call starts without one.
  package func takeError() -> String? { message.withLock { $0.take() } }

  private func table(of name: String) -> UnsafeRawPointer? {
    if let found = unsafe services.first(where: { unsafe "\($0.name)" == name }) {
      return unsafe found.table
    }
    return unsafe UnsafeRawPointer(bitPattern: devices.withLock { $0[name] } ?? 0)
  }

  /// Offers a table that another plugin provides, or withdraws it. The table must live for as long
  /// as it is offered.
  @unsafe func offer(_ name: String, _ table: UnsafeRawPointer?) {
    let address = unsafe table.map { UInt(bitPattern: $0) }
    devices.withLock { $0[name] = address }
  }

  private func add<Table>(_ name: StaticString, _ table: Table) {
    // Lives until the process ends.
    let memory = UnsafeMutablePointer<Table>.allocate(capacity: 1)
    unsafe memory.initialize(to: table)
    unsafe services.append((name, UnsafeRawPointer(memory)))
  }

  private func addKernelServices() {
    add(
      "clock/1",
      ac_clock_service_t(
        struct_size: UInt32(MemoryLayout<ac_clock_service_t>.size),
        boot_time_ns: {
          var time = timespec()
          unsafe clock_gettime(CLOCK_BOOTTIME, &time)
          return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
        },
        wall_clock_s: {
          var time = timespec()
          unsafe clock_gettime(CLOCK_REALTIME, &time)
          return Int64(time.tv_sec)
        },
        sleep_ns: { nanoseconds in
          InterruptibleSleep.sleep(nanoseconds: nanoseconds)
            ? ac_status_t(AC_OK) : ac_status_t(AC_ERR_INTERRUPTED)
        }))
    unsafe add(
      "random/1",
      ac_random_service_t(
        struct_size: UInt32(MemoryLayout<ac_random_service_t>.size),
        fill: { bytes, count in
          unsafe ac_random(bytes, count) == 0 ? ac_status_t(AC_OK) : ac_status_t(AC_ERR_IO)
        }))
    guard BootIdentity.bytes != nil else { return }
    unsafe add(
      "boot/1",
      ac_boot_service_t(
        struct_size: UInt32(MemoryLayout<ac_boot_service_t>.size),
        boot_id: { result in
          guard let result = unsafe result, let bytes = BootIdentity.bytes else {
            return ac_status_t(AC_ERR_ARGUMENT)
          }
          for (index, byte) in bytes.enumerated() { unsafe result[index] = byte }
          return ac_status_t(AC_OK)
        }))
  }
}

/// The kernel's identifier of this boot (random(4), `boot_id`).
enum BootIdentity {
  /// Sixteen bytes, or nil if the kernel does not tell. A host reads it before its sandbox closes.
  static let bytes: [UInt8]? = SmallFile.contents(of: "/proc/sys/kernel/random/boot_id")
    .flatMap(parse)

  static func parse(_ text: some Sequence<UInt8>) -> [UInt8]? {
    let digits = text.compactMap { Character(UnicodeScalar($0)).hexDigitValue.map(UInt8.init) }
    guard digits.count == 32 else { return nil }
    return stride(from: 0, to: 32, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }
}

/// The `sleep_ns` of "clock/1", which a host can interrupt to end the work.
package enum InterruptibleSleep {
  private static let isInterrupted = Guarded(false)

  /// Waits. Returns false if it was, or is, interrupted.
  static func sleep(nanoseconds: UInt64) -> Bool {
    isInterrupted.wait(nanoseconds: nanoseconds) { $0 ? true : nil } == nil
  }

  /// Wakes the sleeper, and ends further sleeps at once until ``resume()``. Any thread.
  package static func interrupt() { isInterrupted.update { $0 = true } }

  package static func resume() { isInterrupted.update { $0 = false } }
}
