import Glibc
import LinuxSystem
import Protocol

/// What the shell gave, as texts.
struct CommandArguments {
  /// The arguments without the name of the program. Of one that is no text there is a likeness.
  let texts: [String]
  /// The first that cannot be used, and why.
  let problem: Failure?

  /// Variables whose values name files, and must be texts as arguments must.
  private static let variables = [
    "AUTHCORE_HOME", "AUTHCORE_DRIVER", "HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME",
  ]

  init(_ texts: [String], problem: Failure? = nil) {
    self.texts = texts
    self.problem = problem ?? Self.tooLong(texts)
  }

  /// Those of this process. Two byte strings that are no UTF-8 may have one likeness, so that they
  /// would name one item.
  static func given() -> CommandArguments {
    var texts: [String] = []
    var problem: Failure?
    for index in stride(from: 1, to: Int(CommandLine.argc), by: 1) {
      // CommandLine.unsafeArgv has argc strings, which nobody changes.
      guard let argument = unsafe CommandLine.unsafeArgv[index] else { continue }
      if let text = unsafe String(validatingCString: argument) {
        texts.append(text)
      } else {
        // What stands behind `--` is another program's.
        if !texts.contains("--") { problem = problem ?? Self.noText("Argument \(index)") }
        texts.append(unsafe String(cString: argument))
      }
    }
    for name in variables where !EnvironmentVariable.isText(name) {
      problem = problem ?? Self.noText(name)
    }
    return CommandArguments(texts, problem: problem)
  }

  private static func noText(_ what: String) -> Failure {
    Failure(
      .usage, "\(what) is not valid UTF-8", hint: "Names and attributes are texts in UTF-8.")
  }

  /// No message takes a longer text. What stands behind `--` is another program's.
  private static func tooLong(_ texts: [String]) -> Failure? {
    let index = texts.prefix { $0 != "--" }.firstIndex {
      $0.utf8.count > WireDecoder.longestText
    }
    return index.map {
      Failure(.usage, "Argument \($0 + 1) is longer than \(WireDecoder.longestText) bytes")
    }
  }
}
