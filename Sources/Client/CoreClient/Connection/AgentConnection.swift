import LinuxSystem
package import Protocol
import Synchronization

/// A connection as the agent of its user: it is told what to show, and answers. One thread listens,
/// any may answer.
package final class AgentConnection: Sendable {
  /// What the core sends to an agent.
  package enum Event: Sendable {
    case prompt(Prompt)
    case progress(Progress.Event)
    case ended(AgentPromptEnded)
  }

  private let stream: MessageStream
  private let request: UInt32
  private let turn = Mutex(())

  init(_ stream: consuming MessageStream, request: UInt32) {
    self.stream = stream
    self.request = request
  }

  /// Waits for the next event.
  /// - Throws: the core's failure, or `coreFailed` if the connection is lost.
  package func next() throws(Failure) -> Event {
    do {
      let message = try stream.receive()
      let bytes = message.bytes.bytes
      let header = try ClientEnvelope.header(bytes)
      switch header.number {
      case Prompt.number:
        let prompt: Prompt = try ClientEnvelope.decode(bytes)
        AskedRecord.note(prompt)
        return .prompt(prompt)
      case AgentPromptEnded.number: return .ended(try ClientEnvelope.decode(bytes))
      case Progress.number:
        return .progress(try ClientEnvelope.decode(bytes, as: Progress.self).event)
      case Failure.number: throw try ClientEnvelope.decode(bytes, as: Failure.self)
      case let number: throw DecodeError.unknownMessage(number: number)
      }
    } catch let failure as Failure {
      throw failure
    } catch {
      throw Failure(.coreFailed, "The connection to the core was lost: \(error)")
    }
  }

  /// Answers a prompt. A lost connection is reported by ``next()``.
  package func answer(_ answer: borrowing PromptAnswer) {
    turn.withLock { _ in
      do throws(StreamError) {
        try stream.send(ClientEnvelope.encode(answer, request: request))
      } catch {
        // The listening thread learns of it.
      }
    }
  }
}
