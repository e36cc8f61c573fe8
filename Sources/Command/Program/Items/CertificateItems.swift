import CoreClient
import Cryptography
import Protocol

/// Adds the certificates of a file that are not in the keychain yet.
struct CertificateAdding {
  let attributes: ItemAttributes
  /// Nil for standard input.
  let file: String?

  /// The longest file, in bytes. Sixteen of the longest certificates fit in PEM.
  private static let longestFile = 24 << 20

  func run(_ invocation: Invocation) throws(Failure) {
    let certificates = try read(invocation)
    let session = try invocation.openSession()
    var added: [ItemAttributes] = []
    var duplicates = 0
    for certificate in certificates {
      let request = AddCertificate(attributes: attributes, certificate: certificate)
      do throws(Failure) {
        added.append(try (session.ask(request) as ItemAdded).attributes)
      } catch  where error.code == .errSecDuplicateItem && certificates.count > 1 {
        duplicates += 1
      }
    }
    guard !added.isEmpty else {
      throw Failure(
        .errSecDuplicateItem, "All \(duplicates) certificates are already in the keychain",
        hint: "authcore item list --class certificate shows them.")
    }
    if duplicates > 0 { invocation.output.note("\(duplicates) of them were already there.") }
    let json: JSONValue =
      certificates.count == 1
      ? .object(["item": added[0].json])
      : .object(["items": .array(added.map(\.json)), "duplicates": .integer(Int64(duplicates))])
    invocation.output.result(json, added.map { "Added " + ItemText.name($0) + "." })
  }

  /// Reads the certificates and checks all of them before the first is added.
  private func read(_ invocation: Invocation) throws(Failure) -> [[UInt8]] {
    let input = try InputFile(file, invocation)
    guard let bytes = try input.read(limit: Self.longestFile) else {
      throw .usage("\(input.name) is longer than \(Self.longestFile) bytes")
    }
    let found: CertificateFile
    do throws(CertificateFile.Problem) {
      found = try CertificateFile(bytes.bytes)
    } catch {
      throw Failure(
        .errSecParam, "\(input.name) holds no certificate: \(error.reason)",
        hint: "Give an X.509 certificate in DER, or certificates in PEM.")
    }
    if !found.others.isEmpty {
      invocation.output.note(
        "Left out: " + found.others.map(\.printable).joined(separator: ", ") + ".")
    }
    for (index, certificate) in found.certificates.enumerated() {
      try check(certificate, "certificate \(index + 1) of \(input.name)")
    }
    return found.certificates
  }

  private func check(_ certificate: [UInt8], _ name: String) throws(Failure) {
    guard certificate.count <= largestCertificate else {
      throw Failure(
        .errSecParam,
        "\(name) has \(certificate.count) bytes; at most \(largestCertificate) are taken")
    }
    do throws(X509Certificate.Problem) {
      _ = try X509Certificate(der: certificate.span)
    } catch {
      throw Failure(
        .errSecParam, "\(name) cannot be read: \(error)",
        hint: "Give an X.509 certificate in DER, or certificates in PEM.")
    }
  }
}

extension CertificateFile.Problem {
  fileprivate var reason: String {
    switch self {
    case .noCertificate: "it is neither DER nor PEM"
    case .malformed(let line): "the block that begins in line \(line) is not base64"
    case .unfinished(let line): "the block that begins in line \(line) does not end"
    }
  }
}

/// Writes the certificates that match a query.
struct CertificateWriting {
  let query: ItemQuery
  let isPEM: Bool
  let writesAll: Bool

  func run(_ invocation: Invocation) throws(Failure) {
    let output = invocation.output
    guard !writesAll || isPEM || output.isJSON else {
      throw .usage(
        "--all writes several certificates, which only --pem and --json keep apart",
        hint: "Add --pem, or name one certificate.")
    }
    let found = try certificates(invocation)
    if output.isJSON {
      output.result(writesAll ? .object(["items": .array(found.map(\.json))]) : found[0].json, [])
    } else if isPEM {
      for certificate in found {
        for line in KeyText.pem(certificate.certificate, label: "CERTIFICATE") { output.line(line) }
      }
    } else {
      let certificate = found[0].certificate
      output.secret(certificate.span)
    }
  }

  private func certificates(_ invocation: Invocation) throws(Failure) -> [GotCertificate] {
    let session = try invocation.openSession()
    guard writesAll else { return [try session.ask(GetCertificate(query: query))] }
    let items: FoundItems = try session.ask(FindItems(query: query))
    var found: [GotCertificate] = []
    for item in items.items {
      do throws(Failure) {
        found.append(try session.ask(GetCertificate(query: ItemQuery(naming: item))))
      } catch  where error.code == .errSecItemNotFound {
        // It has been removed meanwhile.
      }
    }
    return found
  }
}

extension GotCertificate {
  fileprivate var json: JSONValue {
    .object(["item": attributes.json, "certificate": .string(Base64.text(of: certificate))])
  }
}
