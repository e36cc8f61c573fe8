import Glibc
import LinuxSystem
import Protocol
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
