import CoreClient
import Glibc
import LinuxSystem
import Protocol

/// A door, if it lies beside a core under the name of one; for tests.
///
///     exercise door fingers|touch|key=NAME|status|quit…
///
/// Acts for the process that started it. Does one thing after the other as one client, and prints a
/// line for each: how many fingers are enrolled, what a touch proved, that a key has signed, the
/// doors that the core lists, or that the core has ended. What was proved stays in one context.
enum DoorExercise {
  static func run(_ arguments: [String]) {
    guard let caller = RunningProcess.parent() else { return print("its parent has ended") }
    let settings = ApplicationSettings(
      environment: .current(), applicationName: "exercise", program: CoreProgram.path())
    let client = ApplicationClient(settings, actingFor: caller)
    let context = ApplicationContext(client)
    for word in arguments {
      do throws(Failure) {
        print(try perform(word, as: client, in: context))
      } catch {
        print("\(error.code): \(error.message)")
      }
    }
  }

  private static func perform(
    _ word: String, as client: ApplicationClient, in context: ApplicationContext
  ) throws(Failure) -> String {
    switch word {
    case "fingers":
      let list: FingerList = try client.ask(ListFingers())
      return "\(list.fingers.count) fingers"
    case "touch":
      let proved = try context.evaluate(.biometrics, Prompting(reason: "to test"))
      return "\(proved.evidence)"
    case let key where key.hasPrefix("key="):
      let name = String(key.dropFirst("key=".count))
      let use = UseKey(
        query: KeyQuery(name: name), operation: .sign, input: [UInt8](repeating: 7, count: 32))
      let used: KeyUsed = try context.ask(use, .forbidden)
      return used.output.count > 0 ? "signed" : "nothing"
    case "status":
      let status: CoreStatus = try client.request(GetStatus())
      return status.doors.map { "\($0.door.name) for \($0.caller ?? "none")" }.sorted()
        .joined(separator: ", ")
    case "quit":
      let access = CoreAccess(to: try client.settings.location(prints: .real))
      return try access.quit() ? "ended" : "none runs"
    default: return "usage: door fingers|touch|key=NAME|status|quit…"
    }
  }
}
