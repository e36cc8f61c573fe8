import Cryptography
import Protocol

extension KeychainEngine {
  func addCertificate(
    _ request: AddCertificate, for application: String
  ) throws(Failure) -> SecretBytes {
    guard request.attributes.itemClass == .certificate else {
      throw Failure(
        .errSecParam, "a certificate is an item of the class certificate, and no other",
        hint: "leave the class out, or name certificate")
    }
    guard request.attributes.accessControl == nil else { throw Self.unguardable }
    var attributes = ItemAttributes()
    attributes.itemClass = .certificate
    attributes.label = request.attributes.label
    attributes.values[.statedAccessibility] = request.attributes.values[.statedAccessibility]
    try attributes.describe(request.certificate)
    attributes.group = try group(request.attributes.group, of: application)
    attributes.isSynchronizable = request.attributes.isSynchronizable
    attributes.accessibility = request.attributes.accessibility
    let identifier = try register(&attributes)
    let sealed = try enclave.seal(
      certificate: request.certificate, attributes, identifier: identifier)
    try items.insert(NewRow(identifier: identifier, attributes: attributes, sealed: sealed))
    return ItemAdded(attributes: attributes).encoded(capacity: 2048)
  }

  func getCertificate(
    _ request: GetCertificate, for application: String
  ) throws(Failure) -> SecretBytes {
    let candidates = try certificates(request.query, for: application)
    let item = try single(
      of: candidates, for: request.query,
      otherwise: "name its issuer and serial number, or its identifier")
    let certificate = try certificate(of: item)
    return GotCertificate(attributes: item.attributes, certificate: certificate).encoded(
      capacity: 512 + item.row.sealedAttributes.count + certificate.count)
  }

  /// ``FindIdentities``: joins certificates and keys by the hash of the public key.
  func findIdentities(
    _ request: FindIdentities, for application: String
  ) throws(Failure) -> SecretBytes {
    let certificates = try certificates(request.certificate, for: application)
    let keys = try foundKeys(request.key, of: application)
    let byLabel = Dictionary(
      keys.keys.map { ($0.key.applicationLabel, $0.key) }, uniquingKeysWith: { first, _ in first })
    let identities = certificates.readable.compactMap { item -> KeychainIdentity? in
      guard case .data(let hash) = item.attributes.values[.publicKeyHash], let key = byLabel[hash]
      else { return nil }
      return KeychainIdentity(certificate: item.attributes, key: key)
    }
    guard !identities.isEmpty else {
      guard certificates.readable.isEmpty || keys.keys.isEmpty else {
        throw try enclave.isAClassClosed() ? Self.closed : Self.noIdentity
      }
      throw try certificates.readable.isEmpty
        ? reason(forNone: certificates, of: request.certificate) : reason(forNone: keys)
    }
    return FoundIdentities(identities: identities).encoded(capacity: 1024 * identities.count)
  }

  func certificate(of item: Candidates.Readable) throws(Failure) -> [UInt8] {
    guard let sealed = try items.sealedSecret(of: item.row) else { throw Self.notFound }
    switch try enclave.openCertificate(sealed, as: item.protection) {
    case .value(let certificate): return certificate
    case .closed: throw Self.closed
    case .damaged: throw Self.damaged
    case .newer: throw Self.newer
    }
  }

  /// Refuses changes that would contradict the certificate.
  static func requireOfCertificate(
    _ changes: ItemChanges, replacesSecret: Bool
  ) throws(Failure) {
    guard !replacesSecret else { throw certificateHasNoSecret }
    if case .by = changes.guarding { throw unguardable }
    guard changes.terms.names.allSatisfy({ $0 == .label || !$0.isForPeople }) else {
      throw Failure(
        .errSecParam, "the attributes of a certificate are what it says, its label apart",
        hint: "remove it, and add the other one")
    }
  }

  /// The certificates that a query matches, including shared ones.
  private func certificates(
    _ query: ItemQuery, for application: String
  ) throws(Failure) -> Candidates {
    let query = try Self.certificates(query)
    var candidates = try candidates(for: query, of: application)
    candidates.add(try shared(with: application, for: query))
    return candidates
  }

  private static func certificates(_ query: ItemQuery) throws(Failure) -> ItemQuery {
    guard query.itemClass ?? .certificate == .certificate else {
      throw Failure(
        .errSecParam, "certificates are asked for, and the query names another class",
        hint: "leave the class out, or name certificate")
    }
    var certificates = query
    certificates.itemClass = .certificate
    return certificates
  }

  static var unguardable: Failure {
    Failure(
      .errSecParam, "a certificate is public, and has no access control",
      hint: "leave access control out, or keep what is secret in an item of another class")
  }

  static var certificateHasNoSecret: Failure {
    Failure(
      .errSecParam, "a certificate has no secret, and is neither read nor replaced as one",
      hint: "ask with the message for certificates: authcore item get --class certificate")
  }

  private static var noIdentity: Failure {
    Failure(
      .errSecItemNotFound, "no certificate is for one of the keys",
      hint: "authcore item add --class certificate adds one; authcore key public shows a key's half"
    )
  }

  /// SHA-1 of the public key.
  static func applicationLabel(of key: EnclaveKey) throws(Failure) -> [UInt8] {
    do throws(CryptographyError) {
      return try SHA1.hash(key.publicKey.span)
    } catch {
      throw Failure(.engineFailed, "the hash of a public key cannot be had: \(error)")
    }
  }
}

extension ItemAttributes {
  /// Replaces the attributes with those of a certificate, except a given label and stated
  /// accessibility.
  /// - Throws: `errSecParam` for bytes that are too many or no certificate.
  mutating func describe(_ certificate: [UInt8]) throws(Failure) {
    let given = values
    values = try Self.read(certificate).attributes
    for name in [AttributeName.label, .statedAccessibility] where given[name] != nil {
      values[name] = given[name]
    }
  }

  private static func read(_ certificate: [UInt8]) throws(Failure) -> X509Certificate {
    guard certificate.count <= largestCertificate else {
      throw Failure(
        .errSecParam,
        "the certificate has \(certificate.count) bytes; at most \(largestCertificate) are taken")
    }
    do throws(X509Certificate.Problem) {
      return try X509Certificate(der: certificate.span)
    } catch {
      throw Failure(
        .errSecParam, "this certificate is not accepted: \(error.reason)",
        hint: "give one X.509 certificate in DER, and nothing behind it")
    }
  }
}

extension X509Certificate.Problem {
  fileprivate var reason: String {
    switch self {
    case .malformed: "it is not in DER, or something is behind it"
    case .unknownVersion: "it is of a version other than 1, 2 and 3"
    case .failed(let error): "\(error)"
    }
  }
}

extension X509Certificate {
  fileprivate var attributes: AttributeValues {
    get throws(Failure) {
      let bytes: [(AttributeName, [UInt8])] = [
        (.subject, subject), (.issuer, issuer), (.serialNumber, serialNumber),
        (.subjectKeyID, subjectKeyID ?? []), (.publicKeyHash, publicKeyHash),
      ]
      var values: AttributeValues = [
        // CSSM_CERT_X_509v1… and CSSM_CERT_ENCODING_DER (cssmtype.h).
        .certificateType: .number(Int64(version)), .certificateEncoding: .number(3),
      ]
      for (name, data) in bytes {
        guard data.count <= AttributeValue.longestData else {
          throw Failure(
            .errSecParam,
            """
            the \(name.name) of the certificate has \(data.count) bytes; at most \
            \(AttributeValue.longestData) are taken
            """)
        }
        values[name] = .data(data)
      }
      values[text: .label] = DistinguishedName(der: subject)?.summary.map(Self.label) ?? ""
      return values
    }
  }

  /// Cuts a name to the length of a label.
  private static func label(_ name: String) -> String {
    var label = ""
    var count = 0
    for scalar in name.unicodeScalars {
      count += UTF8.width(scalar)
      guard count <= AttributeValue.longestText else { break }
      label.unicodeScalars.append(scalar)
    }
    return label
  }
}
