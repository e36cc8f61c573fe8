import Foundation

let usage = """
  KeychainSample sign-in [ACCOUNT]   signs in, and keeps the password in the keychain
  KeychainSample change [ACCOUNT]    changes the password at the server, not in the keychain
  KeychainSample delete [ACCOUNT]    removes the password from the keychain
  """

let arguments = CommandLine.arguments.dropFirst()
let account = arguments.dropFirst().first ?? NSUserName()
let server = Server()
let item = PasswordItem(server: server.name, account: account)

do {
  guard arguments.count <= 2 else { refuse(usage, 64) }
  switch arguments.first {
  case "sign-in":
    let signIn = SignIn(
      item: item, isAccepted: { server.accepts($0, of: account) }, ask: askUnseen)
    switch try signIn.run() {
    case .unchanged: print("Signed in as \(account), with the password of the keychain.")
    case .added: print("Signed in as \(account). The password is in the keychain.")
    case .updated: print("Signed in as \(account). The password in the keychain is the new one.")
    case .refused: refuse("\(server.name) did not take that. The keychain is as it was.", 1)
    }
  case "change":
    guard let password = askUnseen("New password at \(server.name): "), !password.isEmpty else {
      refuse("Nothing was changed.", 1)
    }
    try server.change(password, of: account)
    print("\(server.name) has another password for \(account). The keychain does not know yet.")
  case "delete":
    print(
      try item.delete()
        ? "The password of \(account) is gone from the keychain."
        : "The keychain has no password of \(account).")
  default: refuse(usage, 64)
  }
} catch {
  refuse(error.localizedDescription, 1)
}

func refuse(_ text: String, _ code: Int32) -> Never {
  FileHandle.standardError.write(Data((text + "\n").utf8))
  exit(code)
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
