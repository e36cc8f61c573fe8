import Foundation
import LocalAuthentication

let say: @Sendable (String) -> Void = { print($0) }
let keychain = KeychainDemonstrations(say: say, askPassword: askUnseen)
let authentication = AuthenticationDemonstrations(say: say)

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.isEmpty else {
  guard arguments.count == 1, let demonstration = Demonstration(typed: arguments[0]) else {
    complain(
      "KeychainTouchID NAME, without one: a menu\n" + Demonstration.menu.joined(separator: "\n"))
    exit(64)
  }
  exit(await runs(demonstration) ? 0 : 1)
}

print(Demonstration.menu.joined(separator: "\n"))
while true {
  print("\nNumber (? for the menu, just Enter to leave): ", terminator: "")
  fflush(nil)
  guard let typed = readLine(), !typed.isEmpty else { break }
  if let demonstration = Demonstration(typed: typed) {
    _ = await runs(demonstration)
  } else {
    print(Demonstration.menu.joined(separator: "\n"))
  }
}

/// - Returns: whether it did what it shows.
@MainActor func runs(_ demonstration: Demonstration) async -> Bool {
  do {
    try await run(demonstration)
    return true
  } catch {
    complain(error.localizedDescription)
    return false
  }
}

@MainActor func run(_ demonstration: Demonstration) async throws {
  switch demonstration {
  case .addPresence: try keychain.add(.presence)
  case .addFingers: try keychain.add(.fingers)
  case .addPassword: try keychain.add(.password)
  case .query: try keychain.query()
  case .update: try keychain.update()
  case .delete: try keychain.delete()
  case .generateKey: try keychain.generateKey()
  case .useKey: try keychain.useKey()
  case .deleteKey: try keychain.deleteKey()
  case .canEvaluate: authentication.canEvaluate()
  case .evaluateOwner: try await authentication.evaluate(.deviceOwnerAuthentication)
  case .evaluateFinger:
    try await authentication.evaluate(.deviceOwnerAuthenticationWithBiometrics)
  case .evaluateNoFallback:
    try await authentication.evaluate(.deviceOwnerAuthenticationWithBiometrics, fallback: "")
  case .evaluateOwnFallback:
    try await authentication.evaluate(
      .deviceOwnerAuthenticationWithBiometrics, fallback: "Ask somebody else")
  case .reuseContext: try await authentication.reuseContext()
  case .reuseUnlock: try await authentication.reuseUnlock()
  }
}

func complain(_ text: String) {
  FileHandle.standardError.write(Data((text + "\n").utf8))
}

/// Asks for a line. On a terminal it is not shown while it is typed.
/// - Returns: nil at the end of the input.
func askUnseen(_ question: String) -> String? {
  var before = termios()
  let isTerminal = tcgetattr(STDIN_FILENO, &before) == 0
  if isTerminal {
    var unseen = before
    unseen.c_lflag &= ~tcflag_t(ECHO)
    tcsetattr(STDIN_FILENO, TCSADRAIN, &unseen)
  }
  defer {
    if isTerminal {
      tcsetattr(STDIN_FILENO, TCSADRAIN, &before)
      print()
    }
  }
  print(question, terminator: isTerminal ? "" : "\n")
  fflush(nil)
  return readLine()
}
