import ArgumentParser
import CoreClient
import Glibc
import Protocol

/// `git-credential-authcore`, a link to this program, and `authcore git-credential`: a credential
/// helper of Git (gitcredentials(7)).
///
/// Standard output carries Git's protocol only. If there is nothing to say, Git asks the person
/// itself.
struct GitCredentialCommand: KeychainCommand {
  static let configuration = CommandConfiguration(
    "git-credential", "Keep Git's passwords and tokens, as git-credential-authcore does.",
    discussion: """
      Git runs it, and talks to it on standard input and output:

          git config --global credential.helper authcore

      Credentials are items of the class internet, found by protocol, server, port, path and \
      account. Options go after the name, for example to ask for a touch each time:

          git config --global credential.helper 'authcore --access presence'
      """,
    shouldDisplay: false)

  static let programName = "git-credential-authcore"

  @OptionGroup var protection: ItemProtectionOptions
  @OptionGroup var options: GlobalOptions

  var missingStateFolder: MissingStateFolder { .made }

  @Argument(help: "get, store or erase. Anything else is ignored.")
  var operation: String

  /// Git may add operations. Unknown ones are no error.
  private enum Operation: String {
    case get, store, erase
  }

  func run(_ invocation: Invocation) throws(Failure) {
    guard let operation = Operation(rawValue: operation) else { return }
    let input = try InputFile(nil, invocation)
    guard let bytes = try input.read(limit: CredentialDescription.longest) else {
      throw .usage("Git says more than \(CredentialDescription.longest) bytes")
    }
    let description = try CredentialDescription(bytes.bytes, isWhole: operation != .get)
    guard let place = CredentialPlace(description) else { return }
    invocation.applicationName = "Git"
    // There is nothing to give or erase. Git must not be asked about folders.
    if operation != .store, try isStateFolderMissing(invocation) { return }
    switch operation {
    case .get: try give(description, place, invocation)
    case .store: try store(description, place, invocation)
    case .erase: try erase(description, place, invocation)
    }
  }

  private func isStateFolderMissing(_ invocation: Invocation) throws(Failure) -> Bool {
    try invocation.access(prints: try invocation.chosenDriver().prints).location.isMissing
  }

  private func give(
    _ description: borrowing CredentialDescription, _ place: CredentialPlace,
    _ invocation: Invocation
  ) throws(Failure) {
    let store = CredentialStore(try invocation.openSession(), place)
    guard let item = try store.items(account: description.username).first,
      let secret = try store.secret(of: item, invocation.promptOptions())
    else { return }
    if let expiry = secret.expiry, expiry <= Int64(time(nil)) { return }
    var text = item.account.isEmpty ? "" : "username=\(item.account)\n"
    if description.keepsState {
      text = "capability[]=state\nstate[]=\(CredentialDescription.ownState)\n" + text
    }
    invocation.output.secret(Array(text.utf8).span)
    invocation.output.secret(secret.lines().bytes)
  }

  /// Stores a credential that a server accepted. Git reports those that came from here too.
  private func store(
    _ description: consuming CredentialDescription, _ place: CredentialPlace,
    _ invocation: Invocation
  ) throws(Failure) {
    guard let account = description.username, !description.isOurs else { return }
    guard !account.unicodeScalars.contains(where: \.isSteering),
      account.utf8.count <= AttributeValue.longestText,
      place.path.utf8.count <= AttributeValue.longestText
    else { throw .usage("Git names an account or a path that no item can have") }
    guard let secret = CredentialSecret(description) else { return }
    let joined = secret.joined()
    guard joined.count <= largestItemSecret else {
      throw .usage("The password has more than \(largestItemSecret) bytes")
    }
    let session = try invocation.openSession()
    let store = CredentialStore(session, place)
    if let item = try store.items(account: account, group: "").first {
      // Only its owner changes a guarded item. Otherwise each success would need a touch.
      guard item.accessControl == nil else { return }
      let got: GotItem = try session.ask(GetItem(query: ItemQuery(naming: item)))
      if !got.secret.isEqual(to: joined.bytes) { try store.replace(item, with: secret) }
      return
    }
    var attributes = place.attributes(account: account)
    try protection.apply(to: &attributes)
    guard attributes.accessControl?.needsAppPassword != true else {
      throw .usage(
        "Git cannot be asked for an application password",
        hint: "Leave app-password out of --access.")
    }
    let _: ItemAdded = try session.ask(AddItem(attributes: attributes, secret: secret.joined()))
  }

  /// Removes a credential that a server refused. A different password stays, and so does a guarded
  /// item.
  private func erase(
    _ description: borrowing CredentialDescription, _ place: CredentialPlace,
    _ invocation: Invocation
  ) throws(Failure) {
    let store = CredentialStore(try invocation.openSession(), place)
    for item in try store.items(account: description.username, group: "") {
      guard item.accessControl == nil else {
        invocation.output.note(
          "authcore: \(ItemText.name(item)) is guarded and stays; change it with: authcore item "
            + "update --id \(item.identifier) --secret")
        continue
      }
      if let refused = description.copyOfPassword() {
        try store.remove(item, ifItHolds: refused)
      } else {
        try store.remove(item)
      }
    }
  }
}
