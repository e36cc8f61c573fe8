import Glibc
import LinuxSystem
import Protocol
import Sandbox
import Synchronization

/// What the core asks the witness (``WitnessProcess``), a process that keeps the one right the core
/// gives up: to see which program of another user is calling. Any thread; one asks at a time.
final class ProcessWitness: Sendable {
  private let stream: Mutex<MessageStream>
  /// What happens when it does not answer: nobody can be told from anybody else then.
  private let onLoss: @Sendable () -> Void

  /// How long it may take to answer.
  private static let milliseconds: Int32 = 5_000

  /// - Parameters:
  ///   - socket: the end of a pair whose other end the witness has.
  ///   - onLoss: called where the witness does not answer.
  init(_ socket: consuming Descriptor, onLoss: @escaping @Sendable () -> Void) {
    stream = Mutex(
      MessageStream(
        socket, limit: WitnessProcess.longestAnswer, stallMilliseconds: Self.milliseconds))
    self.onLoss = onLoss
  }

  /// What the kernel says of a process, which is held meanwhile so that its number means no other
  /// one; nil where it does not tell.
  func observe(_ process: borrowing RunningProcess) -> ObservedProcess? {
    ask(.whatRuns(process.identifier), of: process)
  }

  /// Whether a process of this user runs code that is not root's, or cannot be looked at.
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
        // What it says later would answer another question.
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
  /// Starts the witness from this program's own file, with what this process may do, then gives that
  /// up here. To be called before there are other threads: a right is a thread's.
  /// - Parameter onLoss: called where the witness does not answer.
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
