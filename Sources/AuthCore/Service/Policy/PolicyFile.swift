import Glibc
import LinuxSystem
import Wire

/// The file that whoever runs the machine writes the policy in.
struct PolicyFile: Sendable {
  /// Its path, absolute.
  let path: String

  /// Where systemd says that the configuration lies (`ConfigurationDirectory=`).
  init(_ variable: (String) -> String? = EnvironmentVariable.value(of:)) {
    let named = variable("CONFIGURATION_DIRECTORY")?.prefix { $0 != ":" } ?? ""
    path = (named.hasPrefix("/") ? String(named) : "/etc/authcore") + "/policy.toml"
  }

  private static let longest = 64 << 10

  /// What it says; where there is none, what holds without.
  /// - Throws: `coreFailed`: file, line and reason.
  func read() throws(Failure) -> MachinePolicy {
    let number = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard number >= 0 else {
      if errno == ENOENT { return .none }
      throw failure("it cannot be opened: \(SystemCallError("open").reason)")
    }
    let file = Descriptor(owning: number)
    var facts = stat()
    guard unsafe fstat(file.number, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
      throw failure("it is no file")
    }
    guard facts.st_uid == 0 || facts.st_uid == geteuid(), facts.st_mode & 0o022 == 0 else {
      throw failure("somebody besides root may change it; run: chmod go-w \(path)")
    }
    var bytes = [UInt8](repeating: 0, count: Self.longest + 1)
    var count = 0
    while count < bytes.count {
      let more = unsafe bytes[count...].withUnsafeMutableBytes {
        unsafe Glibc.read(file.number, $0.baseAddress, $0.count)
      }
      if more < 0, errno == EINTR { continue }
      guard more >= 0 else { throw failure("it cannot be read: \(SystemCallError("read").reason)") }
      if more == 0 { break }
      count += more
    }
    guard count <= Self.longest else { throw failure("it is longer than \(Self.longest) bytes") }
    guard let text = String(validating: bytes[..<count], as: UTF8.self) else {
      throw failure("it is no UTF-8 text")
    }
    do throws(PolicyText.Problem) {
      return try MachinePolicy(text)
    } catch {
      throw Failure(
        .coreFailed, "\(path):\(error.line): \(error.reason)",
        hint: "docs/administration.md says what a policy holds; systemctl reload authcored reads it"
      )
    }
  }

  private func failure(_ reason: String) -> Failure {
    Failure(.coreFailed, "\(path): \(reason)", hint: "see docs/administration.md")
  }
}
