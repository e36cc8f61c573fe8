import Glibc
package import Protocol

/// Where a TPM 2.0 is, written like a TCTI configuration of tpm2-tss.
package enum TPMAddress: Equatable, Sendable {
  /// A kernel device: `device:/dev/tpmrm0`.
  case device(String)
  /// The command port of a software TPM, on an IPv4 address: `swtpm:host=127.0.0.1,port=2321`.
  case network(host: String, port: UInt16)
  /// A software TPM on a Unix socket: `swtpm:path=/run/tpm.sock`.
  case socket(String)

  /// The kernel's device with a resource manager, which programs can share.
  package static var usual: TPMAddress { .device("/dev/tpmrm0") }

  /// Reads a configuration. A software TPM's default `host` is 127.0.0.1, and its default `port`
  /// 2321.
  /// - Throws: `usage`, naming what is not understood.
  package init(parsing text: String) throws(Failure) {
    let parts = text.split(separator: ":", maxSplits: 1)
    let rest = parts.count > 1 ? String(parts[1]) : ""
    switch parts.first {
    case "device" where rest.hasPrefix("/"): self = .device(rest)
    case "swtpm": self = try Self.softwareTPM(rest, text)
    default: throw Self.unreadable(text)
    }
  }

  private static func softwareTPM(_ options: String, _ text: String) throws(Failure) -> TPMAddress {
    var values = ["host": "127.0.0.1", "port": "2321"]
    for option in options.split(separator: ",") {
      let pair = option.split(separator: "=", maxSplits: 1)
      guard pair.count == 2, ["host", "port", "path"].contains(pair[0]) else {
        throw unreadable(text)
      }
      values[String(pair[0])] = String(pair[1])
    }
    if let path = values["path"] {
      guard path.hasPrefix("/") else { throw unreadable(text) }
      return .socket(path)
    }
    var address = in_addr()
    guard let host = values["host"], let port = values["port"].flatMap({ UInt16($0) }),
      unsafe inet_pton(AF_INET, host, &address) == 1
    else { throw unreadable(text) }
    return .network(host: host, port: port)
  }

  private static func unreadable(_ text: String) -> Failure {
    Failure(
      .usage, "AUTHCORE_TPM: \(text) names no TPM",
      hint: """
        give device:/dev/tpmrm0, swtpm:host=127.0.0.1,port=2321 (an IPv4 address), \
        swtpm:path=/run/tpm.sock, or off
        """)
  }

  package var text: String {
    switch self {
    case .device(let path): "device:\(path)"
    case .network(let host, let port): "swtpm:host=\(host),port=\(port)"
    case .socket(let path): "swtpm:path=\(path)"
    }
  }
}
