import CoreClient
import Glibc
import LinuxSystem
import Protocol

/// A door, if it lies beside a core under the name of one; for tests.
///
///     exercise door fingers|touch|status|quit…
///
/// Acts for the process that started it. Does one thing after the other as one client, and prints a
/// line for each: how many fingers are enrolled, what a touch proved, the doors that the core
/// lists, or that the core has ended.
enum DoorExercise {
  static func run(_ arguments: [String]) {
    guard let caller = RunningProcess.parent() else { return print("its parent has ended") }
    let settings = ApplicationSettings(
      environment: .current(), applicationName: "exercise", program: CoreProgram.path())
    let client = ApplicationClient(settings, actingFor: caller)
    for word in arguments {
      do throws(Failure) {
        print(try perform(word, as: client))
      } catch {
        print("\(error.code): \(error.message)")
      }
    }
  }

  private static func perform(
    _ word: String, as client: ApplicationClient
  ) throws(Failure) -> String {
    switch word {
    case "fingers":
      let list: FingerList = try client.ask(ListFingers())
      return "\(list.fingers.count) fingers"
    case "touch":
      let proved = try ApplicationContext(client).evaluate(
        .biometrics, Prompting(reason: "to test"))
      return "\(proved.evidence)"
    case "status":
      let status: CoreStatus = try client.request(GetStatus())
      return status.doors.map { "\($0.door.name) for \($0.caller ?? "none")" }.sorted()
        .joined(separator: ", ")
    case "quit":
      let access = CoreAccess(to: try client.settings.location(prints: .real))
      return try access.quit() ? "ended" : "none runs"
    default: return "usage: door fingers|touch|status|quit…"
    }
  }
}
