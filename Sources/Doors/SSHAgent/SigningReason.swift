import CoreClient
import Protocol

/// What is known about where a signature goes.
struct Destination: Equatable, Sendable {
  /// The name in a file of known hosts.
  let host: String?
  let fingerprint: String
  /// Whether the host proved its key on this connection.
  let isVerified: Bool

  fileprivate var text: String {
    let name = host.map { "\($0.withoutSteering) (\(fingerprint))" } ?? fingerprint
    return isVerified ? name : "\(name), unproved"
  }
}

/// The words of a prompt and of the log about one signature.
struct SigningReason: Sendable {
  let destination: Destination?
  let text: String

  private static let longestName = 64

  /// - Parameters:
  ///   - request: what is to be signed.
  ///   - key: the name of the key that is to sign; empty if it is not known.
  ///   - caller: who asks.
  ///   - hosts: names hosts.
  ///   - waiting: how many other signatures wait for a prompt.
  init(
    _ request: SignRequest, _ key: String, by caller: Caller, _ hosts: KnownHosts,
    waiting: Int = 0
  ) {
    func destination(_ host: PublicKeyBlob, isVerified: Bool) -> Destination {
      Destination(
        host: hosts.name(of: host, for: caller.command), fingerprint: host.fingerprint,
        isVerified: isVerified)
    }
    var sentences: [String] = []
    var target: Destination?
    switch request.data {
    case .login(let login):
      if let last = request.binds.last {
        target = destination(last.host, isVerified: true)
      } else if let key = login.hostKey.flatMap({ try? PublicKeyBlob($0) }) {
        target = destination(key, isVerified: false)
      }
      let place = target?.text ?? "a host that did not prove its name"
      sentences.append("Log in to \(place) as \(Self.quoted(login.user)).")
    case .file(let namespace):
      sentences.append(
        namespace == "git"
          ? "Sign a commit or a tag of Git." : "Sign data for \(Self.quoted(namespace)).")
    case .certificate: sentences.append("Sign a certificate of SSH.")
    case .brokenLogin: sentences.append("Log in, in a form that hides where and as whom.")
    case .other: sentences.append("Sign bytes of an unknown form, which may be anything.")
    }
    self.destination = target
    if !key.isEmpty { sentences.append("The key is \(Self.quoted(key)).") }
    sentences.append("Asked by \(caller.text).")
    let hops = request.binds.filter(\.isForwarding).map { destination($0.host, isVerified: true) }
    if !hops.isEmpty {
      sentences.append("Forwarded through " + hops.map(\.text).joined(separator: ", then ") + ".")
    }
    if waiting > 0 { sentences.append("\(waiting) more wait\(waiting == 1 ? "s" : "").") }
    text = sentences.joined(separator: " ")
  }

  /// Words that a caller supplied, marked as such.
  private static func quoted(_ text: String) -> String {
    let clean = text.withoutSteering.withoutQuotes
    return "\u{201C}\(clean.prefix(longestName))\(clean.count > longestName ? "…" : "")\u{201D}"
  }
}
