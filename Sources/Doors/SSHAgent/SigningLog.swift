import Glibc
import LinuxSystem
import Protocol

/// The file with one line of JSON for each signature (`--log`). Any thread.
final class SigningLog: Sendable {
  /// One file, or none.
  private let file: DescriptorList

  /// Opens the file, or makes it for this user alone.
  /// - Parameter path: nil for no log.
  /// - Throws: `usage` if it cannot be written.
  init(_ path: String?) throws(Failure) {
    guard let path else {
      file = DescriptorList()
      return
    }
    let number = unsafe open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard number >= 0, fchmod(number, 0o600) == 0 else {
      let reason = SystemCallError("open").reason
      throw Failure(
        .usage, "Cannot write the log \(path): \(reason)",
        hint: "Name a file of your own with --log FILE.")
    }
    file = DescriptorList(owning: [number])
  }

  /// Notes a signature, or that it was refused for a reason.
  func note(
    _ request: SignRequest, _ reason: SigningReason, key: String, by caller: Caller,
    isReused: Bool = false, refusedFor problem: String? = nil
  ) {
    var fields: [(String, String)] = [
      ("request", Self.text("sign")), ("key", Self.text(key)), ("caller", Self.object(caller)),
      ("purpose", Self.text(request.data.purpose)),
    ]
    switch request.data {
    case .login(let login): fields.append(("user", Self.text(login.user)))
    case .file(let namespace): fields.append(("namespace", Self.text(namespace)))
    case .certificate, .other: break
    }
    if let destination = reason.destination {
      fields.append(
        (
          "destination",
          Self.object(
            (destination.host.map { [("host", Self.text($0))] } ?? []) + [
              ("fingerprint", Self.text(destination.fingerprint)),
              ("verified", String(destination.isVerified)),
            ])
        ))
    }
    fields += [
      ("forwarded", String(request.isForwarded)), ("reason", Self.text(reason.text)),
      ("result", Self.text(problem == nil ? "signed" : "refused")),
    ]
    if isReused { fields.append(("reused", "true")) }
    if let problem { fields.append(("error", Self.text(problem))) }
    write(fields)
  }

  /// Notes that another request than for a signature was refused.
  func note(refused request: String, by caller: Caller, _ problem: String) {
    write([
      ("request", Self.text(request)), ("caller", Self.object(caller)),
      ("result", Self.text("refused")), ("error", Self.text(problem)),
    ])
  }

  private func write(_ fields: [(String, String)]) {
    guard let number = file.numbers.first else { return }
    // One write for a line, so that lines of several threads do not mix.
    _ = DescriptorBytes.write(Array((Self.object(fields) + "\n").utf8).span, to: number)
  }

  private static func object(_ caller: Caller) -> String {
    object([("pid", String(caller.process)), ("name", text(caller.names.first ?? ""))])
  }

  private static func object(_ fields: [(String, String)]) -> String {
    "{" + fields.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
  }

  /// A string of JSON (RFC 8259 §7).
  static func text(_ value: String) -> String {
    var quoted = "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
