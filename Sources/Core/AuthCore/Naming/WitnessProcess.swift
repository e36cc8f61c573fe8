import Glibc
import LinuxSystem
import Protocol
import Sandbox

/// The process `authcored --witness`: says what the kernel says of processes, to the core that
/// started it and to nobody else. It holds `CAP_SYS_PTRACE` and nothing of anybody's keychain.
package enum WitnessProcess {
  /// What makes a process one.
  package static let option = "--witness"

  /// The longest answer, in bytes: a path and two texts.
  static let longestAnswer = 65_536

  /// Where its end of the pair is.
  private static let descriptor: Int32 = 3

  /// Answers until the core is gone.
  package static func run() {
    _ = ProcessHardening.apply()
    _ = ProcessRights.keepTracing()
    SignalWatch.block()
    confine()
    serve(Descriptor(owning: descriptor))
  }

  /// Landlock would take away what it is for: to look at processes outside.
  private static func confine() {
    do throws(SystemCallError) {
      try SystemCallFilter.observing().install()
    } catch {
      CoreLog.writeLine(
        "the system calls of the witness are not filtered (\(error))", prefix: "authcored")
    }
  }

  /// The same on another socket.
  static func serve(_ socket: consuming Descriptor) {
    let stream = MessageStream(socket, limit: 16)
    var idle = IdleMemory()
    let inspector = CodeInspector()
    do {
      while true {
        guard let question = try question(from: stream, idle.limit()) else {
          idle.timePassed()
          continue
        }
        idle.wasUsed()
        var decoder = WireDecoder(question.bytes.bytes)
        let asked: WitnessQuestion = try decoder.read()
        try decoder.finish()
        try stream.send(answer(to: asked, inspector))
      }
    } catch {
      // The core is gone, or speaks another language: neither is answered.
    }
  }

  /// - Returns: nil when `milliseconds` have passed.
  private static func question(
    from stream: borrowing MessageStream, _ milliseconds: Int32
  ) throws(StreamError) -> ReceivedMessage? {
    do throws(StreamError) {
      return try stream.receive(milliseconds: milliseconds)
    } catch StreamError.timedOut {
      return nil
    }
  }

  private static func answer(
    to question: WitnessQuestion, _ inspector: CodeInspector
  ) -> SecretBytes {
    var encoder = WireEncoder(capacity: 1024)
    switch question {
    case .whatRuns(let number):
      var observed: ObservedProcess?
      if let process = RunningProcess(number) { observed = ObservedProcess(of: process) }
      encoder.write(observed)
    case .runsForeignCode(let number, let user):
      encoder.write(Optional(inspector.isForeign(in: number, of: user)))
    }
    return encoder.finish()
  }

  /// What the core takes of an answer; nil: the witness does not know, or makes no sense.
  static func decode<Answer: WireField>(_ bytes: Span<UInt8>) -> Answer? {
    var decoder = WireDecoder(bytes)
    do throws(DecodeError) {
      let answer: Answer? = try decoder.read()
      try decoder.finish()
      return answer
    } catch {
      return nil
    }
  }
}
