import Glibc
import LinuxSystem
import Protocol
import Sandbox
import Synchronization

/// Asks the witness (``WitnessProcess``), a process that keeps the one right the core gives up: to
/// see which program of another user is calling. Any thread; one asks at a time.
final class ProcessWitness: Sendable {
  private let stream: Mutex<MessageStream>
  /// Called if it does not answer: clients cannot be told apart then.
  private let onLoss: @Sendable () -> Void

  private static let milliseconds: Int32 = 5_000

  /// - Parameters:
  ///   - socket: one end of a pair; the witness has the other.
  ///   - onLoss: called if the witness does not answer.
  init(_ socket: consuming Descriptor, onLoss: @escaping @Sendable () -> Void) {
    stream = Mutex(
      MessageStream(
        socket, limit: WitnessProcess.longestAnswer, stallMilliseconds: Self.milliseconds))
    self.onLoss = onLoss
  }

  /// What the kernel says of a process, which is held meanwhile so that its number is not reused;
  /// nil if it does not tell.
  func observe(_ process: borrowing RunningProcess) -> ObservedProcess? {
    ask(.whatRuns(process.identifier), of: process)
  }

  /// Whether a process of this user runs code that is not root's, or cannot be seen.
  func seesForeignCode(in process: borrowing RunningProcess, of user: UInt32) -> Bool {
    ask(.runsForeignCode(process.identifier, user: user), of: process) ?? true
  }

  private func ask<Answer: WireField & Sendable>(
    _ question: WitnessQuestion, of process: borrowing RunningProcess
  ) -> Answer? {
    var encoder = WireEncoder(capacity: 16)
    encoder.write(question)
    let message = encoder.finish()
    let answer: Result<Answer?, StreamError> = stream.withLock { stream in
      do throws(StreamError) {
        try stream.send(message)
        let received = try stream.receive(milliseconds: Self.milliseconds)
        return .success(WitnessProcess.decode(received.bytes.bytes))
      } catch {
        // A late answer would be taken for that to another question.
        shutdown(stream.descriptor.number, Int32(SHUT_RDWR))
        return .failure(error)
      }
    }
    switch answer {
    case .success(let answer): return process.hasEnded ? nil : answer
    case .failure:
      onLoss()
      return nil
    }
  }
}

extension ProcessWitness {
  /// Starts the witness from this program's own file with the rights of this process, then gives
  /// those up here. Call it before other threads start: rights belong to threads.
  /// - Parameter onLoss: called if the witness does not answer.
  /// - Returns: the witness, and a sentence for each right that could not be given up.
  /// - Throws: `coreFailed`.
  static func start(
    onLoss: @escaping @Sendable () -> Void
  ) throws(Failure) -> (witness: ProcessWitness, lacks: [String]) {
    guard let program = RunningExecutable.ofThisProcess(),
      let path = String(validating: program.path, as: UTF8.self)
    else { throw Failure(.coreFailed, "the service cannot tell where its own program lies") }
    let pair = try SocketPair()
    var launch = ProgramLaunch(path: path, arguments: [WitnessProcess.option])
    launch.descriptors = [pair.far.number]
    launch.standardStreams = [nil, nil, 2]
    do throws(SystemCallError) {
      _ = try launch.start()
    } catch {
      throw Failure(.coreFailed, "Cannot start the witness \(path): \(error.reason)")
    }
    return (ProcessWitness(pair.takeNear(), onLoss: onLoss), ProcessRights.giveUp())
  }
}

/// The process `authcored --witness`: tells the core that started it what the kernel says of
/// processes. It holds `CAP_SYS_PTRACE`, and nothing of any keychain.
package enum WitnessProcess {
  package static let option = "--witness"

  /// Bytes of the longest answer: a path and two texts.
  static let longestAnswer = 65_536

  /// The descriptor of its end of the pair.
  private static let descriptor: Int32 = 3

  package static func run() {
    _ = ProcessHardening.apply()
    _ = ProcessRights.keepTracing()
    SignalWatch.block()
    confine()
    serve(Descriptor(owning: descriptor))
  }

  /// Without Landlock, which would keep it from seeing other processes.
  private static func confine() {
    do throws(SystemCallError) {
      try SystemCallFilter.observing().install()
    } catch {
      CoreLog.writeLine(
        "the system calls of the witness are not filtered (\(error))", prefix: "authcored")
    }
  }

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
      // The core is gone, or sent what is no question.
    }
  }

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

  /// Decodes an answer; nil if the witness does not know, or the bytes make no sense.
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
