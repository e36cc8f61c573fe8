package import AuthcoreABI
package import Foundation
import LinuxSystem
import PluginHosting
import Testing
package import TrustedPlatform

// A TPM 2.0 for tests: swtpm, in a process.

/// A software TPM with a state of its own, talked to over a pair of sockets. It ends with this
/// object.
///
/// One thread.
package final class SoftwareTPM {
  private let folder: URL
  private var process: ChildProcess?
  private var device: TPMDevice?
  /// How many commands it has been sent.
  package private(set) var commandCount = 0
  /// Answers commands in the TPM's place if it returns an answer.
  package var interposer: (([UInt8]) -> Result<[UInt8], TPMError>?)?
  /// Sees, and may change, the answers of the TPM.
  package var listener: ((_ command: [UInt8], _ answer: inout [UInt8]) -> Void)?

  /// Where swtpm lies, or nil.
  package static let program: String? = ["/usr/bin/swtpm", "/usr/local/bin/swtpm"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  /// A new TPM.
  package init() throws {
    folder = FileManager.default.temporaryDirectory
      .appending(path: "authcore-tpm-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try powerUp()
  }

  deinit {
    powerDown()
    try? FileManager.default.removeItem(at: folder)
  }

  private func powerUp() throws {
    let pair = try SocketPair()
    var launch = ProgramLaunch(
      path: Self.program ?? "swtpm",
      arguments: [
        "socket", "--tpm2", "--tpmstate", "dir=\(folder.path)", "--fd", "3", "--flags",
        "not-need-init,startup-clear", "--log", "level=0",
      ])
    launch.descriptors = [pair.far.number]
    process = try launch.start()
    device = TPMDevice(pair.takeNear(), at: .socket(folder.path))
  }

  private func powerDown() {
    device = nil
    if let process = process.take() {
      process.kill()
      _ = process.wait()
    }
  }

  /// Switches it off and on (TPM Reset): only stored state stays.
  package func restart() throws {
    powerDown()
    try powerUp()
  }

  /// What it keeps for good, by file.
  package func saved() throws -> [String: Data] {
    // TPM2_GetTestResult: when it answers, it has begun.
    _ = try exchange(([0x80, 1, 0, 0, 0, 10, 0, 0, 1, 0x7c] as [UInt8]).span)
    var files: [String: Data] = [:]
    for file in try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    where file.lastPathComponent.hasSuffix(".permall") {
      files[file.lastPathComponent] = try Data(contentsOf: file)
    }
    return files
  }

  /// Makes it the TPM that ``saved()`` tells of, as no TPM can be made.
  package func restore(_ files: [String: Data]) throws {
    powerDown()
    try removeState()
    for (name, contents) in files { try contents.write(to: folder.appending(path: name)) }
    try powerUp()
  }

  /// Makes another TPM of it, as a new board or a clearing by the firmware would.
  package func replace() throws {
    powerDown()
    try removeState()
    try powerUp()
  }

  private func removeState() throws {
    for file in try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    { try FileManager.default.removeItem(at: file) }
  }

  /// What "tpm/1" answers (engine.h).
  package func transmit(
    _ command: Span<UInt8>, milliseconds: UInt32, response: inout [UInt8]
  ) -> ac_status_t {
    do throws(TPMError) {
      response = try exchange(command)
      return ac_status_t(AC_OK)
    } catch {
      switch error {
      case .absent: return ac_status_t(AC_ERR_NOT_FOUND)
      case .forbidden: return ac_status_t(AC_ERR_PERMISSION)
      case .busy: return ac_status_t(AC_ERR_BUSY)
      case .late: return ac_status_t(AC_ERR_TIMEOUT)
      case .garbled: return ac_status_t(AC_ERR_PROTOCOL)
      default: return ac_status_t(AC_ERR_GONE)
      }
    }
  }
}

extension SoftwareTPM: TPMTransport {
  package func exchange(_ command: Span<UInt8>) throws(TPMError) -> [UInt8] {
    commandCount += 1
    let bytes = command.indices.map { command[$0] }
    if let answer = interposer?(bytes) { return try answer.get() }
    guard let device else { throw .absent }
    var answer: [UInt8]
    do throws(TPMDevice.Problem) {
      answer = try device.exchange(command, milliseconds: 60_000, limit: 4096)
    } catch {
      throw .lost
    }
    listener?(bytes, &answer)
    return answer
  }
}

/// A software TPM 2.0 that programs reach by a socket, with a state of its own.
package final class TPMProcess {
  private let folder: TemporaryFolder
  private var socket: String { folder.url.appendingPathComponent("socket").path }
  private var process: Process?

  package static let isInstalled = FileManager.default.isExecutableFile(atPath: "/usr/bin/swtpm")

  package init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      at: folder.url.appendingPathComponent("state"), withIntermediateDirectories: true)
    try start()
  }

  deinit { stop() }

  /// What programs are told of it.
  package var environment: [String: String] { ["AUTHCORE_TPM": "swtpm:path=\(socket)"] }

  /// Returns when it can be reached.
  package func start() throws {
    try? FileManager.default.removeItem(atPath: socket)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/swtpm")
    process.arguments = [
      "socket", "--tpm2", "--tpmstate",
      "dir=\(folder.url.appendingPathComponent("state").path)", "--server",
      "type=unixio,path=\(socket)", "--flags", "not-need-init,startup-clear", "--log", "level=0",
    ]
    try process.run()
    self.process = process
    // It says nothing when it listens.
    try #require(
      eventually { FileManager.default.fileExists(atPath: socket) }, "swtpm does not listen")
  }

  /// Ends it; its stored state stays.
  package func stop() {
    guard let process else { return }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    self.process = nil
  }
}
