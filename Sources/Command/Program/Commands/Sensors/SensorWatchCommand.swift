import ArgumentParser
import CoreClient
import FingerprintMatching
import PluginHosting
import Protocol

struct SensorWatchCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Show touches as they come, and how good they are.",
    discussion:
      "Ends after --touches, when no touch comes within --timeout, when the tape is over, or with Ctrl-C."
  )

  @Option(help: "End after so many touches.")
  var touches: Int?

  @OptionGroup var log: LogOption
  @OptionGroup var options: GlobalOptions

  func validate() throws {
    guard touches.map({ $0 > 0 }) ?? true else {
      throw ValidationError("--touches is at least 1")
    }
  }

  func run(_ invocation: Invocation) throws(Failure) -> CommandEnd {
    let output = invocation.output
    let sensor = try LookedAtSensor(invocation, log)
    let pictures = output.pictures
    let screen = pictures.map { PromptScreen(output, on: $0) } ?? PromptScreen(output, on: nil)
    if output.isLive { output.note(PromptTexts.touch.english + " Ctrl-C ends.") }
    var seen: [JSONValue] = []
    do throws(Failure) {
      while seen.count < touches ?? .max {
        let frame = try sensor.frame(screen)
        let features = try frame.features()
        if let pictures {
          screen.show(picture: FrameText.lines(frame, features, on: pictures, seen.count + 1))
        }
        seen.append(FrameText.json(frame, features))
      }
    } catch {
      screen.end()
      guard error.code == .timedOut, !seen.isEmpty else { throw error }
    }
    screen.end()
    output.result(.object(["touches": .array(seen)]), [])
    return .done
  }
}
