import CoreClient
import Cryptography
import Protocol

/// Keys, for people and for other programs.
enum KeyText {
  /// Those with an identifier in `lost` nothing opens any more.
  static func table(_ keys: [EnclaveKey], lost: Set<String>, _ paint: Paint) -> [String] {
    guard !keys.isEmpty else { return ["There are no keys."] }
    var table = Table("name", "use asks for", "reachable", "created")
    for key in keys {
      table.add(
        key.name,
        key.accessControl.map {
          ItemText.opening($0, isLost: lost.contains(key.identifier))
        } ?? "", key.accessibility.name, Timestamp.day(key.createdAt))
    }
    return table.lines(paint)
  }

  /// Keys with what their certificates say.
  static func table(_ identities: [KeychainIdentity], _ paint: Paint) -> [String] {
    guard !identities.isEmpty else { return ["There is no certificate for any key."] }
    var table = Table("key", "certificate", "subject", "issuer")
    for identity in identities {
      let certificate = identity.certificate
      table.add(
        identity.key.name, certificate.label, certificate.words(.subject),
        certificate.words(.issuer))
    }
    return table.lines(paint)
  }

  /// The lines of a PEM file (RFC 7468) around DER; the label says of what.
  static func pem(_ der: [UInt8], label: String = "PUBLIC KEY") -> [String] {
    var rest = Base64.text(of: der)[...]
    var lines = ["-----BEGIN \(label)-----"]
    while !rest.isEmpty {
      lines.append(String(rest.prefix(64)))
      rest = rest.dropFirst(64)
    }
    return lines + ["-----END \(label)-----"]
  }

  /// A line as `authorized_keys` has it (sshd(8)); the name is its comment, which ends nothing else.
  static func sshLine(_ key: EnclaveKey, _ blob: [UInt8]) -> String {
    "\(P256PublicKey.openSSHType) \(Base64.text(of: blob)) \(key.name.printable)"
  }

  /// Runs what fails only where libcrypto does, or where the core answers with what is no key.
  static func cryptographic<Value: ~Copyable>(
    _ body: () throws(CryptographyError) -> Value
  ) throws(Failure) -> Value {
    do throws(CryptographyError) {
      return try body()
    } catch {
      throw Failure(
        .coreFailed, "The key cannot be used: \(error)",
        hint: "Check that libcrypto 3 is installed, and that core and command are of one version.")
    }
  }
}

extension EnclaveKey {
  /// As JSON shows it.
  var json: JSONValue { json(isLost: false) }

  /// The same, with whether nothing opens it any more.
  func json(isLost: Bool) -> JSONValue {
    .object([
      "id": .string(identifier), "name": .string(name),
      "label": label.isEmpty ? nil : .string(label),
      "tag": applicationTag.isEmpty ? nil : .string(Base64.text(of: applicationTag)),
      "publicKeyHash": .string(Base64.text(of: applicationLabel)), "group": .string(group),
      "accessible": .string(accessibility.name),
      "access": accessControl.map { .string($0.text) },
      "strictMatch": accessControl?.requiresStrictMatch == true ? .bool(true) : nil,
      "lost": isLost ? .bool(true) : nil,
      "createdAt": .time(createdAt),
    ])
  }

  /// The public half.
  func point() throws(Failure) -> P256PublicKey {
    try KeyText.cryptographic { () throws(CryptographyError) in
      try P256PublicKey(point: publicKey)
    }
  }
}

extension Output {
  /// Writes bytes that are the result: as they are, or with `--json` as one object that holds them
  /// in base64, never in anything but locked memory.
  func data(_ name: StaticString, _ bytes: Span<UInt8>) {
    guard isJSON else {
      secret(bytes)
      return
    }
    secret("{\"\(name)\":\"")
    let encoded = Base64.encoded(bytes)
    secret(encoded.bytes)
    secret("\"}")
    endObject()
  }
}
