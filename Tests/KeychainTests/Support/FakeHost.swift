import AuthcoreABI
import EngineKit
import Glibc
import Protocol
import Synchronization

/// The host's tables of engine.h for one keychain: a folder, a fake enclave, a log. Outlives the
/// engine it serves.
@safe
final class FakeHost {
  let enclave = FakeEnclave()
  private(set) var logged: [String] = []
  /// The enclave's process has ended.
  var isEnclaveGone = false

  // Each table lives at one address for as long as the host does, as the ABI promises.
  private let host = UnsafeMutablePointer<ac_host_t>.allocate(capacity: 1)
  private let clock = UnsafeMutablePointer<ac_clock_service_t>.allocate(capacity: 1)
  private let random = UnsafeMutablePointer<ac_random_service_t>.allocate(capacity: 1)
  private let folder = UnsafeMutablePointer<ac_folder_service_t>.allocate(capacity: 1)
  private let enclaveService = UnsafeMutablePointer<ac_enclave_service_t>.allocate(capacity: 1)
  private let path: UnsafeMutablePointer<CChar>

  /// Every look at the clock finds it a second later.
  private static let seconds = Atomic<Int64>(1_700_000_000)

  /// Sets the clock of all hosts of this process.
  static func setClock(to time: Int64) { seconds.store(time, ordering: .relaxed) }

  init(folder folderPath: String) {
    unsafe path = strdup(folderPath)
    unsafe clock.initialize(
      to: ac_clock_service_t(
        struct_size: UInt32(MemoryLayout<ac_clock_service_t>.size),
        boot_time_ns: { 1 },
        wall_clock_s: { FakeHost.seconds.add(1, ordering: .relaxed).newValue },
        sleep_ns: { _ in ac_status_t(AC_OK) }))
    unsafe random.initialize(
      to: ac_random_service_t(
        struct_size: UInt32(MemoryLayout<ac_random_service_t>.size),
        fill: { bytes, count in
          for index in 0..<count { unsafe bytes?[index] = UInt8.random(in: 0...255) }
          return ac_status_t(AC_OK)
        }))
    unsafe folder.initialize(
      to: ac_folder_service_t(
        struct_size: UInt32(MemoryLayout<ac_folder_service_t>.size), path: path))
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe enclaveService.initialize(
      to: ac_enclave_service_t(
        struct_size: UInt32(MemoryLayout<ac_enclave_service_t>.size), context: context,
        call: { unsafe FakeHost.from($0).call($1, $2, $3, $4) }))
    unsafe host.initialize(
      to: ac_host_t(
        struct_size: UInt32(MemoryLayout<ac_host_t>.size), abi_version: 1 << 16, context: context,
        log: { context, _, text in
          guard let text = unsafe text else { return }
          unsafe FakeHost.from(context).logged.append(String(cString: text))
        },
        set_error: { _, _ in },
        service: { unsafe FakeHost.from($0).service($1) }))
  }

  deinit {
    unsafe host.deallocate()
    unsafe clock.deallocate()
    unsafe random.deallocate()
    unsafe folder.deallocate()
    unsafe enclaveService.deallocate()
    unsafe free(path)
  }

  var services: EngineServices {
    get throws { try unsafe EngineServices(host: UnsafePointer(host)) }
  }

  @unsafe private static func from(_ context: UnsafeMutableRawPointer?) -> FakeHost {
    guard let context = unsafe context else { preconditionFailure("the engine lost its context") }
    return unsafe Unmanaged<FakeHost>.fromOpaque(context).takeUnretainedValue()
  }

  @unsafe private func service(_ name: UnsafePointer<CChar>?) -> UnsafeRawPointer? {
    guard let name = unsafe name else { return nil }
    return switch unsafe String(cString: name) {
    case "clock/1": unsafe UnsafeRawPointer(clock)
    case "random/1": unsafe UnsafeRawPointer(random)
    case "folder/1": unsafe UnsafeRawPointer(folder)
    case "enclave/1": unsafe UnsafeRawPointer(enclaveService)
    default: nil
    }
  }

  @unsafe private func call(
    _ request: UnsafePointer<UInt8>?, _ count: Int, _ reply: ac_engine_reply_t?,
    _ context: UnsafeMutableRawPointer?
  ) -> ac_status_t {
    guard !isEnclaveGone, let reply = unsafe reply else { return ac_status_t(AC_ERR_GONE) }
    let bytes = unsafe Array(UnsafeBufferPointer(start: request, count: count))
    let answer = enclave.answer(bytes)
    unsafe answer.withUnsafeBufferPointer { buffer in
      unsafe reply(context, buffer.baseAddress, buffer.count)
    }
    return ac_status_t(AC_OK)
  }
}
