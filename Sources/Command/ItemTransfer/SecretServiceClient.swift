import Cryptography
import DBus
import Protocol

/// A client of the Secret Service of freedesktop.org (gnome-keyring, KWallet, KeePassXC), for one
/// thread at a time.
final class SecretServiceClient {
  private let bus: BusConnection
  private let session: SecretSession

  private static let name = "org.freedesktop.secrets"
  private static let service = BusConnection.Object(service: name, path: "/org/freedesktop/secrets")
  private static let serviceInterface = "org.freedesktop.Secret.Service"
  private static let collectionInterface = "org.freedesktop.Secret.Collection"
  private static let itemInterface = "org.freedesktop.Secret.Item"
  private static let promptInterface = "org.freedesktop.Secret.Prompt"
  /// The path that means no object.
  private static let nothing = "/"

  /// Opens a session with the service, which the bus may start.
  /// - Parameter address: the address of the bus; nil for the session's.
  /// - Throws: `errSecNotAvailable`.
  init(at address: String? = nil) throws(Failure) {
    let bus = try BusConnection.ofSession(at: address)
    self.bus = bus
    do throws(BusError) {
      session = try Self.openSession(bus)
    } catch {
      throw Self.failure(error)
    }
  }

  var isEncrypted: Bool {
    switch session.transport {
    case .plain: false
    case .encrypted: true
    }
  }

  static func failure(_ error: BusError) -> Failure {
    error.isAbsence
      ? Failure(
        .errSecNotAvailable, "No Secret Service runs in this session",
        hint: "Start the keyring (gnome-keyring-daemon, KWallet, KeePassXC), and run this again.")
      : Failure(
        .errSecNotAvailable, "The Secret Service cannot be asked: \(error.reason)",
        hint: "Look at it with its own program, and run this again.")
  }

  private static func openSession(_ bus: BusConnection) throws(BusError) -> SecretSession {
    if let exchange = SecretTransport.Exchange() {
      do throws(BusError) {
        let opened = try openSession(
          bus, algorithm: SecretTransport.Exchange.name, input: exchange.publicValue)
        if let transport = exchange.transport(with: opened.answer) {
          return SecretSession(path: opened.path, transport: transport)
        }
      } catch {
        // A service may support plain transfer only.
        guard case .refused = error else { throw error }
      }
    }
    let opened = try openSession(bus, algorithm: "plain", input: nil)
    return SecretSession(path: opened.path, transport: .plain)
  }

  private static func openSession(
    _ bus: BusConnection, algorithm: String, input: [UInt8]?
  ) throws(BusError) -> (answer: [UInt8], path: String) {
    let call = try bus.makeCall(service, serviceInterface, "OpenSession")
    try call.append(algorithm)
    try call.append(.variant, of: input == nil ? "s" : "ay") { () throws(BusError) in
      if let input { try call.append(input.span) } else { try call.append("") }
    }
    let reply = try bus.send(call)
    var answer: [UInt8] = []
    if input == nil {
      try reply.skip("v")
    } else {
      guard
        let bytes = try reply.read(
          .variant, of: "ay",
          { () throws(BusError) in
            try reply.readBytes { bytes in bytes.indices.map { bytes[$0] } }
          })
      else { throw .unreadable }
      answer = bytes
    }
    return (answer, try reply.readText(.objectPath))
  }

  struct Collection {
    let path: String
    let label: String
    let isLocked: Bool
    /// The paths of its items.
    let items: [String]
  }

  func collections() throws(BusError) -> [Collection] {
    var collections: [Collection] = []
    for path in try paths("Collections", of: Self.service, Self.serviceInterface) {
      let object = BusConnection.Object(service: Self.name, path: path)
      collections.append(
        Collection(
          path: path,
          label: try label(of: object, Self.collectionInterface),
          isLocked: try property("Locked", of: object, Self.collectionInterface, "b") {
            (message) throws(BusError) in try message.readFlag()
          },
          items: try paths("Items", of: object, Self.collectionInterface)))
    }
    return collections
  }

  /// Has the service unlock objects. It may ask the person.
  /// - Returns: whether all are unlocked.
  func unlock(_ paths: [String]) throws(BusError) -> Bool {
    let call = try bus.makeCall(Self.service, Self.serviceInterface, "Unlock")
    try call.append(.array, of: "o") { () throws(BusError) in
      for path in paths { try call.append(path, .objectPath) }
    }
    let reply = try bus.send(call)
    let unlocked = try reply.readPaths()
    let prompt = try reply.readText(.objectPath)
    if prompt == Self.nothing { return Set(unlocked).isSuperset(of: paths) }
    return try !isDismissed(BusConnection.Object(service: Self.name, path: prompt))
  }

  /// Shows a prompt of the service, and waits for the answer.
  private func isDismissed(_ prompt: BusConnection.Object) throws(BusError) -> Bool {
    let completed = try bus.awaitSignal("Completed", Self.promptInterface, of: prompt) {
      () throws(BusError) in
      let call = try bus.makeCall(prompt, Self.promptInterface, "Prompt")
      try call.append("")
      _ = try bus.send(call)
    }
    return try completed.readFlag()
  }

  struct Description {
    let label: String
    let attributes: [String: String]
  }

  func describe(item path: String) throws(BusError) -> Description {
    let item = BusConnection.Object(service: Self.name, path: path)
    return Description(
      label: try label(of: item, Self.itemInterface),
      attributes: try property("Attributes", of: item, Self.itemInterface, "a{ss}") {
        (message) throws(BusError) in try message.readTexts()
      })
  }

  /// The secret of an unlocked item.
  func secret(ofItem path: String) throws(BusError) -> SecretBytes {
    let item = BusConnection.Object(service: Self.name, path: path)
    let call = try bus.makeCall(item, Self.itemInterface, "GetSecret")
    try call.append(session.path, .objectPath)
    let reply = try bus.send(call)
    let secret = try reply.read(.structure, of: "oayays") { () throws(BusError) in
      _ = try reply.readText(.objectPath)
      let parameters = try reply.readBytes { bytes in bytes.indices.map { bytes[$0] } }
      let opened = try reply.readBytes { session.transport.open($0, parameters: parameters) }
      try reply.skip("s")
      return opened
    }
    guard let secret, let secret else { throw .unreadable }
    return secret
  }

  private func label(
    of object: BusConnection.Object, _ interface: String
  ) throws(BusError) -> String {
    try property("Label", of: object, interface, "s") { (message) throws(BusError) in
      try message.readText()
    }
  }

  private func paths(
    _ name: String, of object: BusConnection.Object, _ interface: String
  ) throws(BusError) -> [String] {
    try property(name, of: object, interface, "ao") { (message) throws(BusError) in
      try message.readPaths()
    }
  }

  private func property<R>(
    _ name: String, of object: BusConnection.Object, _ interface: String, _ type: String,
    _ body: (borrowing BusMessage) throws(BusError) -> R
  ) throws(BusError) -> R {
    let call = try bus.makeCall(object, "org.freedesktop.DBus.Properties", "Get")
    try call.append(interface)
    try call.append(name)
    let reply = try bus.send(call)
    guard
      let value = try reply.read(.variant, of: type, { () throws(BusError) in try body(reply) })
    else { throw .unreadable }
    return value
  }
}
