import Foundation

/// Asks for a line, which is not shown where it is typed on a terminal.
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
