import Foundation
import Glibc
import Protocol
import Testing

/// Adding is cut short wherever it writes, by a limit on the length of files: the kernel ends the
/// process in the middle of the write that goes beyond it (setrlimit(2)).
@Suite("A crash while adding")
struct CrashTests {
  let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private static func service(_ number: Int) -> String { "service \(number)" }
  private static func secret(_ number: Int) -> String {
    "secret \(number) " + String(repeating: "s", count: number * 97 % 3000)
  }

  /// Adds items until the process is ended, and notes each that was acknowledged with a byte.
  private static func addUntilTheEnd(in path: String, limit: Int) throws {
    var files = rlimit(rlim_cur: rlim_t(limit), rlim_max: rlim_t(limit))
    var cores = rlimit(rlim_cur: 0, rlim_max: 0)
    // Whoever started the tests may have it ignored, and threads of a pool block it.
    signal(SIGXFSZ, SIG_DFL)
    var deadly = sigset_t()
    unsafe sigemptyset(&deadly)
    unsafe sigaddset(&deadly, SIGXFSZ)
    unsafe pthread_sigmask(SIG_UNBLOCK, &deadly, nil)
    unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &cores)
    try #require(unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &files) == 0)
    let notes = unsafe open(path + "/acknowledged", O_WRONLY | O_CREAT | O_APPEND, 0o600)
    let keychain = try TestKeychain(path: path)
    for number in 0... {
      try keychain.add(service(number), secret: secret(number))
      var byte: UInt8 = 1
      try #require(unsafe write(notes, &byte, 1) == 1)
    }
  }

  // From the first pages to a log that has been lengthened several times; odd lengths, so that
  // pages, frames and the zeros behind them are cut.
  @Test(
    "K1: a keychain that dies in any write has each item it acknowledged, and no half one",
    arguments: Array(stride(from: 40_001, through: 420_001, by: 47_501)))
  func killed(limit: Int) async throws {
    let path = folder.path
    await #expect(processExitsWith: .signal(SIGXFSZ)) {
      [path = path as String, limit = limit as Int] in
      try Self.addUntilTheEnd(in: path, limit: limit)
    }
    let acknowledged = (try? contents(of: path + "/acknowledged").count) ?? 0
    let keychain = try TestKeychain(folder)
    let items = (try? keychain.find()) ?? []
    #expect(acknowledged...acknowledged + 1 ~= items.count)
    #expect(items.map(\.service) == (0..<items.count).map(Self.service))
    for (number, item) in items.enumerated() {
      #expect(try keychain.get(query(item.service)) == Self.secret(number))
    }
    // What was cut off hinders nothing that comes after it.
    try keychain.add(Self.service(items.count), secret: "after")
    #expect(try keychain.get(query(Self.service(items.count))) == "after")
  }

  @Test("an enclave that is gone before, or lies in, the one message of an add leaves nothing")
  func enclaveFails() throws {
    let keychain = try TestKeychain(folder)
    keychain.host.isEnclaveGone = true
    #expect(try code { try keychain.add("mail") } == .engineFailed)
    keychain.host.isEnclaveGone = false
    keychain.enclave.intrusion = { _ in [99] }
    #expect(try code { try keychain.add("mail") } == .engineFailed)
    keychain.enclave.intrusion = nil
    #expect(try code { _ = try keychain.find() } == .errSecItemNotFound)
    try keychain.add("mail", secret: "whole")
    #expect(try keychain.get(query("mail")) == "whole")
  }
}
