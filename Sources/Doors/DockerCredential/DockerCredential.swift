import BuildIdentity
import CoreClient
import Glibc
import LinuxSystem
import Protocol

/// `docker-credential-authcore`: a helper that docker, podman, skopeo and others keep logins with
/// (docker-credential-helpers). It answers on standard output; a failure is a sentence there.
@main
enum DockerCredential {
  private static let usage = """
    Usage: docker-credential-authcore store|get|erase|list|version

    Keeps the logins of registries in the keychain. docker, podman, skopeo and other programs start
    it, and talk to it on standard input and output. In ~/.docker/config.json:

        { "credsStore": "authcore" }

    """

  static func main() {
    do throws(Failure) {
      let arguments = Array(CommandLine.arguments.dropFirst())
      try run(arguments.count == 1 ? arguments[0] : "")
    } catch {
      fail(Self.sentence(error))
    }
  }

  private static func run(_ action: String) throws(Failure) {
    switch action {
    case "store":
      let bytes = try input()
      let message = try CredentialMessage(bytes.bytes)
      try check(message.server, "no credentials server URL")
      try check(message.user, "no credentials username")
      try Logins().store(message)
    case "get": say(try Logins().get(server()).encoded())
    case "erase": try Logins().erase(server())
    case "list": say(listing(try Logins().all()))
    case "version", "--version": print(BuildIdentity.text(of: "docker-credential-authcore"))
    case "--help", "-h": print(usage, terminator: "")
    default: fail(usage)
    }
  }

  /// The user of each server.
  private static func listing(_ logins: [ItemAttributes]) -> SecretBytes {
    var answer = WireEncoder()
    answer.writeText("{")
    for (index, login) in logins.enumerated() {
      answer.writeText(index > 0 ? "," : "")
      answer.writeQuoted(Array(login.server.utf8).span)
      answer.writeText(":")
      answer.writeQuoted(Array(login.account.utf8).span)
    }
    answer.writeText("}\n")
    return answer.finish()
  }

  private static func input() throws(Failure) -> SecretBytes {
    // One byte more, so that a longer input is seen.
    var buffer = SecretBytes(count: CredentialMessage.longest + 1)
    var filled = 0
    while filled < buffer.count {
      guard let count = DescriptorBytes.fill(&buffer, from: filled, of: STDIN_FILENO) else {
        throw Failure(.usage, "Standard input cannot be read")
      }
      if count == 0 { return buffer.extracting(0..<filled) }
      filled += count
    }
    throw Failure(.usage, "Standard input has more than \(CredentialMessage.longest) bytes")
  }

  /// The server on standard input, without white space around it.
  private static func server() throws(Failure) -> String {
    let bytes = try input().copied
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }
    let trimmed = bytes.drop(while: isSpace).reversed().drop(while: isSpace).reversed()
    guard let server = String(validating: Array(trimmed), as: UTF8.self) else {
      throw Failure(.usage, "The server is not UTF-8")
    }
    try check(server, "no credentials server URL")
    return server
  }

  /// Refuses what no item can have as a name. Clients look for the sentence about an empty one.
  private static func check(_ name: String, _ ifEmpty: String) throws(Failure) {
    guard !name.isEmpty else { throw Failure(.usage, ifEmpty) }
    guard name.utf8.count <= Logins.longestName,
      !name.unicodeScalars.contains(where: \.isSteering)
    else {
      throw Failure(
        .usage,
        "A server or user has control characters, or more than \(Logins.longestName) bytes")
    }
  }

  private static func say(_ answer: borrowing SecretBytes) {
    guard DescriptorBytes.write(answer.bytes, to: STDOUT_FILENO) else { exit(1) }
  }

  private static func sentence(_ failure: Failure) -> String {
    switch failure.code {
    case .errSecItemNotFound: "credentials not found in native keychain\n"
    default: failure.withHint + "\n"
    }
  }

  private static func fail(_ text: String) -> Never {
    _ = DescriptorBytes.write(Array(text.utf8).span, to: STDOUT_FILENO)
    exit(1)
  }
}

/// The logins of registries in the keychain: items of the class internet, one for each server.
struct Logins {
  static let longestName = AttributeValue.longestText - label("").utf8.count

  /// What the items have as their description.
  private static let description = "docker"
  private let client = ApplicationClient(
    ApplicationSettings(
      environment: .current(), applicationName: "docker-credential-authcore", asksOnTerminal: true,
      takesAnyRelease: false), actingFor: RunningProcess.parent())

  private static func label(_ server: String) -> String { "Docker: \(server)" }

  private static func query(_ server: String?) -> ItemQuery {
    var query = ItemQuery()
    query.itemClass = .internet
    query.group = commandApplication
    query.server = server
    query.terms[text: .description] = description
    return query
  }

  private var asking: Keychain { Keychain(client, Prompting(unlocks: true)) }
  private var silent: Keychain { Keychain(client, .forbidden) }

  func get(_ server: String) throws(Failure) -> CredentialMessage {
    let got = try asking.open(Self.query(server))
    guard got.secret.isUTF8 else {
      throw Failure(.errSecDecode, "The secret of \(Self.label(server)) is not UTF-8")
    }
    return CredentialMessage(
      server: server, user: got.attributes.account, secret: got.secret.shared())
  }

  /// Replaces the only login of a server, whatever user it had. What guards it stays. Other programs
  /// that store the server's first login at once get in between; so it tries again.
  func store(_ login: borrowing CredentialMessage, tries: Int = 20) throws(Failure) {
    guard login.secret.count <= largestItemSecret else {
      throw Failure(.usage, "The secret has more than \(largestItemSecret) bytes")
    }
    do throws(Failure) {
      return try update(login)
    } catch  where error.code == .errSecItemNotFound {
      do throws(Failure) {
        try add(login)
        return try keepOne(of: login.server)
      } catch  where error.code == .errSecDuplicateItem && tries > 1 {
      }
    } catch  where error.code == .ambiguous && tries > 1 {
      try keepOne(of: login.server)
    }
    try store(login, tries: tries - 1)
  }

  private func add(_ login: borrowing CredentialMessage) throws(Failure) {
    var attributes = ItemAttributes()
    attributes.itemClass = .internet
    attributes.group = commandApplication
    attributes.server = login.server
    attributes.account = login.user
    attributes.label = Self.label(login.server)
    attributes.values[.description] = .text(Self.description)
    _ = try asking.add(attributes, login.secret.duplicate())
  }

  private func update(_ login: borrowing CredentialMessage) throws(Failure) {
    var changes = ItemChanges()
    changes.terms[text: .account] = login.user
    try asking.update(Self.query(login.server), changes, secret: login.secret.duplicate())
  }

  /// Two programs that store the first login of a server at once both add one. Each keeps the same.
  private func keepOne(of server: String) throws(Failure) {
    let logins = try silent.find(FindItems(query: Self.query(server)))
    for login in logins.sorted(by: { $0.identifier < $1.identifier }).dropFirst() {
      var query = ItemQuery()
      query.group = commandApplication
      query.identifier = login.identifier
      do throws(Failure) {
        try silent.remove(query)
      } catch  where error.code == .errSecItemNotFound {
      }
    }
  }

  /// Removes the login of a server, if there is one; never prompts.
  func erase(_ server: String) throws(Failure) {
    do throws(Failure) {
      let request = RemoveItems(query: Self.query(server), allowsSeveral: true)
      _ = try silent.ask(request, for: ItemsChanged.self)
    } catch  where error.code == .errSecItemNotFound {
    }
  }

  /// All logins, by server; never prompts.
  func all() throws(Failure) -> [ItemAttributes] {
    do throws(Failure) {
      return try silent.find(FindItems(query: Self.query(nil))).sorted { $0.server < $1.server }
    } catch  where error.code == .errSecItemNotFound {
      return []
    }
  }
}
