import ArgumentParser
import CoreClient
import Cryptography
import Protocol

struct KeyListCommand: KeychainCommand {
  static let configuration = CommandConfiguration("list", "List the keys.")

  @Option(help: ArgumentHelp("List the keys of this access group.", valueName: "name"))
  var group: String?

  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) {
    var query = KeyQuery()
    query.group = group
    let session = try invocation.openSession()
    let keys =
      try ifFound { () throws(Failure) in
        try (session.ask(FindKeys(query: query)) as FoundKeys).keys
      } ?? []
    let known = LostEntries(session)
    var lost: Set<String> = []
    for key in keys where try known.contains(key.identifier, key.accessControl) {
      lost.insert(key.identifier)
    }
    invocation.output.result(
      .object(["keys": .array(keys.map { $0.json(isLost: lost.contains($0.identifier)) })]),
      KeyText.table(keys, lost: lost, invocation.output.paint))
  }
}

struct KeyIdentitiesCommand: KeychainCommand {
  static let configuration = CommandConfiguration(
    "identities", "List the keys that have a certificate, each with its certificate.",
    discussion: """
      Add a certificate with: authcore item add --class certificate
      """)

  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) {
    let session = try invocation.openSession()
    let request = FindIdentities(certificate: ItemQuery(), key: KeyQuery())
    let identities =
      try ifFound { () throws(Failure) in
        try (session.ask(request) as FoundIdentities).identities
      } ?? []
    invocation.output.result(
      .object(["identities": .array(identities.map(\.json))]),
      KeyText.table(identities, invocation.output.paint))
  }
}

extension KeychainIdentity {
  fileprivate var json: JSONValue {
    .object(["certificate": certificate.json, "key": key.json])
  }
}

struct KeyRemoveCommand: KeychainCommand {
  static let configuration = CommandConfiguration(
    "remove", "Remove a key for good. What was encrypted for it is lost.",
    discussion: """
      This needs no proof, but the key must be within reach.
      """)

  @OptionGroup var key: KeyName
  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) {
    let query = try key.query()
    let reply: ItemsChanged = try invocation.openSession().ask(RemoveKey(query: query))
    invocation.output.result(
      .object(["removed": .count(reply.count)]), ["Removed the key \(key.name.printable)."])
  }
}

struct KeyPublicCommand: KeychainCommand {
  static let configuration = CommandConfiguration(
    "public", "Write a key's public half to standard output.",
    discussion: """
      pem is for OpenSSL, ssh is a line for authorized_keys, age is a recipient for age and rage, \
      and sec1 is the point of 65 bytes. --json has the same in base64, without the text around it.
      """)

  enum Format: String, CaseIterable, ExpressibleByArgument {
    case pem
    case ssh
    case sec1
    case age
  }

  @OptionGroup var key: KeyName

  @Option(help: "pem, ssh, age or sec1.")
  var format = Format.pem

  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) {
    let query = try key.query()
    let key = try invocation.openSession().key(query)
    let output = invocation.output
    if format == .age {
      let recipient = AgeRecipient(try key.point()).text
      return output.result(.object(["recipient": .string(recipient)]), [recipient])
    }
    let bytes =
      switch format {
      case .pem: try key.point().subjectPublicKeyInfo
      case .ssh: try key.point().openSSHBlob
      case .sec1, .age: key.publicKey
      }
    if output.isJSON || format == .sec1 {
      output.data("publicKey", bytes.span)
    } else {
      output.result(
        .object([:]), format == .pem ? KeyText.pem(bytes) : [KeyText.sshLine(key, bytes)])
    }
  }
}
