import Cryptography
import Protocol

extension ItemAttributes {
  /// The words of a certificate's subject; none where there are none.
  var subjectTexts: [String] {
    guard case .data(let der) = values[.subject] else { return [] }
    return DistinguishedName(der: der)?.parts.map(\.value) ?? []
  }

  /// Who made a certificate, in DER; nil where this is none.
  var issuer: [UInt8]? {
    guard case .data(let der) = values[.issuer] else { return nil }
    return der
  }

  /// Whether one of these made the certificate, or one of those above it, as far as these
  /// certificates tell.
  func isIssued(by issuers: [[UInt8]], through certificates: [ItemAttributes]) -> Bool {
    var names: Set<[UInt8]> = []
    var waiting = [issuer].compactMap(\.self)
    while let name = waiting.popLast() {
      guard names.insert(name).inserted else { continue }
      if issuers.contains(name) { return true }
      waiting += certificates.filter { $0.values[.subject] == .data(name) }.compactMap(\.issuer)
    }
    return false
  }
}
