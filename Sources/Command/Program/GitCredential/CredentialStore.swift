import CoreClient
import Protocol

/// The credentials of one place in the keychain, as Git's helper finds and changes them.
struct CredentialStore {
  private let session: CoreSession
  private let place: CredentialPlace

  init(_ session: CoreSession, _ place: CredentialPlace) {
    (self.session, self.place) = (session, place)
  }

  /// The items of the place, of this account where one is named, the latest changed first. An
  /// account that Git could not be told in a line is none.
  func items(account: String?, group: String? = nil) throws(Failure) -> [ItemAttributes] {
    var query = place.query(account: account)
    query.group = group
    let found: [ItemAttributes]
    do throws(Failure) {
      found = try session.find(query)
    } catch {
      guard error.code == .errSecItemNotFound else { throw error }
      return []
    }
    return found.filter {
      place.isThat(of: $0) && !$0.account.unicodeScalars.contains(where: \.isSteering)
    }
    .sorted { $0.modifiedAt > $1.modifiedAt }
  }

  /// An item's secret.
  /// - Returns: nil where somebody has removed it meanwhile.
  func secret(
    of item: ItemAttributes, _ options: PromptOptions
  ) throws(Failure) -> CredentialSecret? {
    let got: GotItem
    do throws(Failure) {
      got = try session.ask(GetItem(query: ItemQuery(naming: item)), options)
    } catch {
      guard error.code == .errSecItemNotFound else { throw error }
      return nil
    }
    return try CredentialSecret(reading: got.secret)
  }

  /// Replaces what an item of this application holds.
  func replace(_ item: ItemAttributes, with secret: borrowing CredentialSecret) throws(Failure) {
    let _: ItemsChanged = try session.ask(
      UpdateItems(secretOf: item, to: secret.joined()))
  }

  func remove(_ item: ItemAttributes) throws(Failure) {
    let _: ItemsChanged = try session.ask(
      RemoveItems(query: ItemQuery(naming: item), allowsSeveral: false))
  }
}
