import ArgumentParser
import FingerprintMatching
import PluginHosting
import Wire

/// `authcore sensor watch`
struct SensorWatchCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Show touches as they come, and how good they are.",
    discussion: "Ends when no touch comes within --timeout, when the tape is over, or with Ctrl-C.")

  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) -> CommandEnd {
    let output = invocation.output
    let sensor = try LookedAtSensor(invocation)
    let screen = PromptScreen(output)
    if output.isLive { output.note("Touch the sensor. Ctrl-C ends.") }
    var touches: [JSONValue] = []
    do throws(Failure) {
      while true {
        let frame = try sensor.frame(screen)
        let features = try frame.features()
        for line in FrameText.lines(frame, features, output.paint) { output.line(line) }
        touches.append(FrameText.json(frame, features))
      }
    } catch {
      guard error.code == .timedOut, !touches.isEmpty else { throw error }
    }
    output.result(.object(["touches": .array(touches)]), [])
    return .done
  }
}
