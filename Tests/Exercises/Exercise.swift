import Foundation
import LocalAuthentication

/// Programs that tests run: each is an application, or a host, of one kind.
///
///     exercise usb|prompting|authentication|windows|door|agent ARGUMENTS…
@main
enum Exercise {
  static func main() async {
    let arguments = Array(CommandLine.arguments.dropFirst(2))
    switch CommandLine.arguments.dropFirst().first {
    case "usb": USBExercise.main(arguments)
    case "prompting": PromptingProgram.run(arguments)
    case "authentication": await AuthenticationExercise.run(arguments)
    case "windows": WindowExercise.run()
    case "door": DoorExercise.run(arguments)
    case "agent": AgentExercise.run(arguments)
    default: print("usage: exercise usb|prompting|authentication|windows|door|agent ARGUMENTS…")
    }
  }
}

/// An application written for Apple's systems, so that tests can run one at a terminal:
///
///     exercise authentication owner|biometrics REASON [--fallback TITLE] [--cancel TITLE] [--twice]
///
/// It evaluates the policy, once or twice, and prints "answer: yes" or "answer: " and the number of
/// the error for each.
enum AuthenticationExercise {
  static func run(_ arguments: [String]) async {
    func option(_ name: String) -> String? {
      arguments.firstIndex(of: name).flatMap { $0 + 1 < arguments.count ? arguments[$0 + 1] : nil }
    }
    guard arguments.count >= 2, ["owner", "biometrics"].contains(arguments[0]) else {
      print("usage: owner|biometrics REASON [--fallback TITLE] [--cancel TITLE] [--twice]")
      exit(64)
    }
    let context = LAContext()
    context.localizedFallbackTitle = option("--fallback")
    context.localizedCancelTitle = option("--cancel")
    for _ in 0..<(arguments.contains("--twice") ? 2 : 1) {
      do {
        let policy: LAPolicy =
          arguments[0] == "owner"
          ? .deviceOwnerAuthentication : .deviceOwnerAuthenticationWithBiometrics
        _ = try await context.evaluatePolicy(policy, localizedReason: arguments[1])
        print("answer: yes")
      } catch {
        print("answer: \((error as NSError).code)")
      }
    }
  }
}
