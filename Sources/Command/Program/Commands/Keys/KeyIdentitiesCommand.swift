import ArgumentParser
import CoreClient
import Protocol

/// `authcore key identities`
struct KeyIdentitiesCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "identities",
    abstract: "List the keys that there are certificates for, each with its certificate.",
    discussion: "A certificate is added by: authcore item add --class certificate")

  @OptionGroup var options: GlobalOptions

  var unlocks: Bool { true }

  func run(_ invocation: Invocation) throws(Failure) -> CommandEnd {
    let session = try invocation.openSession()
    let identities: [KeychainIdentity]
    do throws(Failure) {
      let request = FindIdentities(certificate: ItemQuery(), key: KeyQuery())
      identities = try (session.ask(request) as FoundIdentities).identities
    } catch {
      guard error.code == .errSecItemNotFound else { throw error }
      identities = []
    }
    invocation.output.result(
      .object(["identities": .array(identities.map(\.json))]),
      KeyText.table(identities, invocation.output.paint))
    return .done
  }
}

extension KeychainIdentity {
  fileprivate var json: JSONValue {
    .object(["certificate": certificate.json, "key": key.json])
  }
}
