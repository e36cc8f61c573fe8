import ArgumentParser
import CoreClient
import Cryptography
import Protocol

struct OneTimeCommand: KeychainCommand {
  static let configuration = CommandConfiguration(
    "otp", "Show the one-time code of an item that holds an otpauth: text or a key.",
    discussion: """
      A site shows such a text as a QR code for an app, and its key in base32 beside it. Add one \
      of them as the secret of an item, or import it with a login; then the login's name finds it. \
      Steam's keys work too: steam://KEY. Standard output gets the code, and standard error says \
      how long it is good. A code of a counter (HOTP) is good once: the \
      item gets the next number before the code is shown.

          authcore otp github.com
          authcore otp github.com --copy
      """)

  @OptionGroup var selection: ItemSelection

  @Flag(help: "Put the code on the clipboard, and clear it after a while.")
  var copy = false

  @OptionGroup var clipboard: ClipboardOptions
  @OptionGroup var opening: OpeningOptions
  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) {
    _ = try selection.selectingQuery()
    try opening.check()
    let board = copy ? try clipboard.clipboard() : nil
    let session = try opening.session(invocation)
    let (query, name) = try session.item(
      of: selection,
      NameTolerance(witness: copy ? .standardError : .standardOutput, purpose: .oneTimePassword),
      invocation.output)
    let password = try password(of: query, name, session, opening.prompt(invocation))
    if let board {
      try clipboard.keep(password.code, named: "The code of \(name)", on: board, invocation)
    } else {
      show(password, invocation.output)
    }
  }

  /// Makes the code. For a counter, the item first gets the next number. A code whose number another
  /// program took meanwhile is not made.
  private func password(
    of query: ItemQuery, _ name: String, _ session: CoreSession, _ options: PromptOptions
  ) throws(Failure) -> OneTimePassword.Password {
    let context = try session.openContext()
    for _ in 0..<UpdateItems.mostReads {
      let item: GotItem = try session.ask(GetItem(query: query), options, in: context)
      let maker = try maker(item, name)
      if let next = maker.advanced(item.secret) {
        let update = UpdateItems(secretOf: item, among: query, to: next)
        do throws(Failure) {
          let _: ItemsChanged = try session.ask(update, options, in: context)
        } catch  where error.code == .busy {
          continue
        }
      }
      try context.invalidate()
      return try cryptographic { () throws(CryptographyError) in
        try maker.password(at: UInt64(clamping: Timestamp.secondsSince1970()))
      }
    }
    throw Failure(
      .busy, "Other programs keep taking codes of \(name)", hint: "Try again in a moment.")
  }

  private func maker(_ item: borrowing GotItem, _ name: String) throws(Failure) -> OneTimePassword {
    do throws(OneTimePassword.Problem) {
      return try OneTimePassword(
        secret: item.secret.bytes,
        keyAlone: item.attributes.makesOneTimePasswords ? .expected : .possible)
    } catch {
      throw Failure(
        .unsupported, "The secret of \(name) makes no one-time codes: \(error.rawValue)",
        hint: "Add the site's otpauth: text or its key as an item: authcore item add SERVICE")
    }
  }

  private func show(_ password: borrowing OneTimePassword.Password, _ output: Output) {
    guard !output.isJSON else {
      output.secret("{\"code\":\"")
      output.secret(password.code.bytes)
      output.secret(
        Array(("\"" + (password.secondsLeft.map { ",\"secondsLeft\":\($0)" } ?? "") + "}").utf8)
          .span)
      return output.endObject()
    }
    output.secret(password.code.bytes)
    output.endObject()
    if let left = password.secondsLeft { output.note("Good for \(left) s more.") }
  }
}
