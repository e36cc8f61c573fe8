import CoreClient
import Cryptography
import Protocol

enum KeyText {
  /// A table of keys. Nothing opens those with an identifier in `lost` any more.
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

  /// A table of keys with their certificates.
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

  /// The lines of a PEM file (RFC 7468) for DER.
  static func pem(_ der: [UInt8], label: String = "PUBLIC KEY") -> [String] {
    var rest = Base64.text(of: der)[...]
    var lines = ["-----BEGIN \(label)-----"]
    while !rest.isEmpty {
      lines.append(String(rest.prefix(64)))
      rest = rest.dropFirst(64)
    }
    return lines + ["-----END \(label)-----"]
  }

  /// A line for `authorized_keys` (sshd(8)). The name is its comment and cannot end the line.
  static func sshLine(_ key: EnclaveKey, _ blob: [UInt8]) -> String {
    "\(P256PublicKey.openSSHType) \(Base64.text(of: blob)) \(key.name.printable)"
  }
}

extension EnclaveKey {
  var json: JSONValue { json(isLost: false) }

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

  func point() throws(Failure) -> P256PublicKey {
    try cryptographic { () throws(CryptographyError) in
      try P256PublicKey(point: publicKey)
    }
  }
}

extension Output {
  /// Writes bytes as the result: as they are, or with `--json` in base64. They stay in locked
  /// memory.
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
