import CoreClient
import Protocol

extension KeychainSession {
  /// An item with its secret; `group` is how its group was named.
  /// - Throws: what opening it fails with.
  func open(_ attributes: ItemAttributes, in group: String?) throws(Failure) -> GotItem {
    try keychain.open(Self.query(naming: attributes, in: group))
  }

  /// The certificate of an item or of an identity, in DER.
  /// - Throws: what reading it fails with; `errSecParam` for an item of another class.
  func certificate(of item: StoredItem, in group: String?) throws(Failure) -> [UInt8] {
    let got: GotCertificate = try ask(
      GetCertificate(query: Self.query(naming: item.attributes, in: group)))
    return got.certificate
  }

  /// The one item of these attributes.
  static func query(naming attributes: ItemAttributes, in group: String?) -> ItemQuery {
    var among = ItemQuery()
    among.group = group
    return ItemQuery(naming: attributes, among: among)
  }
}
