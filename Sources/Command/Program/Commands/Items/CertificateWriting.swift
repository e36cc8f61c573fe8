import CoreClient
import Cryptography
import Protocol

/// Writes the certificates that a query means.
struct CertificateWriting {
  let query: ItemQuery
  let isPEM: Bool
  let writesAll: Bool

  func run(_ invocation: Invocation) throws(Failure) -> CommandEnd {
    let output = invocation.output
    guard !writesAll || isPEM || output.isJSON else {
      throw Failure(
        .usage, "--all writes several certificates, which only --pem and --json keep apart",
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
    return .done
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
        // Somebody has removed it meanwhile.
      }
    }
    return found
  }
}

extension GotCertificate {
  fileprivate var json: JSONValue {
    .object([
      "item": attributes.json, "certificate": .string(Base64.text(of: certificate)),
    ])
  }
}
