import CoreClient
import Foundation
import Protocol
import TestSupport

/// An application on a device: what it can ask through its client.
struct TestApplication: Sendable {
  let client: ApplicationClient

  /// `driver` is what `AUTHCORE_DRIVER` names.
  init(_ device: TestHome, driver: String? = nil) {
    client = ApplicationClient(
      ApplicationSettings(
        environment: ClientEnvironment(
          home: device.home, driver: driver, stateFolder: nil,
          workingFolder: FileManager.default.currentDirectoryPath),
        applicationName: "Tests", program: Products.program("authcored")))
  }

  /// Adds a generic password of this service.
  func add(_ service: String, access: String? = nil, secret: String = "s3cret") throws {
    var attributes = ItemAttributes()
    attributes.service = service
    attributes.accessControl = try access.map { try AccessControl(parsing: $0) }
    let _: ItemAdded = try client.ask(
      AddItem(attributes: attributes, secret: SecretBytes(copying: Array(secret.utf8).span)))
  }

  /// The secret of the one item of this service.
  func secret(
    _ service: String, _ prompting: Prompting = Prompting(),
    in context: ApplicationContext? = nil
  ) throws -> String {
    var query = ItemQuery()
    query.terms[text: .service] = service
    let got: GotItem = try client.ask(GetItem(query: query), prompting, in: context)
    return String(
      decoding: (0..<got.secret.count).map { got.secret.bytes[$0] }, as: UTF8.self)
  }
}
