import PolicyEngine
import Protocol
import SyntheticPrints
import Testing

@Suite("Policy as bytes")
struct PolicyBytesTests {
  private func question() throws -> PolicyQuestion {
    var device = DeviceState()
    device.hasSensor = true
    device.isPasscodeSet = true
    device.fingers = 1
    device.isFirstUnlocked = true
    let control = try AccessControl(parsing: "biometry-current or passcode")
    return PolicyQuestion(request: .access(control, held: []), device: device)
  }

  private func bytes(of secret: borrowing SecretBytes) -> [UInt8] {
    (0..<secret.count).map { secret.bytes[$0] }
  }

  private func isAnswered(_ request: [UInt8]) -> Bool {
    let reply = PolicyEngine.answer(request.span)
    return (try? PolicyStep.decode(reply.bytes)) != nil || (try? Failure.decode(reply.bytes)) != nil
  }

  private func refusal(of request: [UInt8]) throws -> FailureCode {
    let reply = PolicyEngine.answer(request.span)
    return try Failure.decode(reply.bytes).code
  }

  @Test("a question in bytes gets the step it gets as a value, each time")
  func sameAnswer() throws {
    for request in plainRequests + accessRequests {
      for device in everyDevice {
        let question = PolicyQuestion(request: request.request, device: device)
        let reply = PolicyEngine.answer(question.encoded().bytes)
        #expect(try PolicyStep.decode(reply.bytes).action == PolicyEngine.decide(question))
      }
    }
  }

  @Test("a question cut short, or with a byte too many, is refused")
  func wrongLength() throws {
    let whole = bytes(of: try question().encoded())
    for count in 0..<whole.count {
      #expect(try refusal(of: Array(whole[..<count])) == .engineFailed)
    }
    #expect(try refusal(of: whole + [0]) == .engineFailed)
  }

  @Test("a question with any byte replaced by any other gets a step or a failure")
  func replacedBytes() throws {
    let whole = bytes(of: try question().encoded())
    for index in whole.indices {
      for value in UInt8.min...UInt8.max {
        var changed = whole
        changed[index] = value
        #expect(isAnswered(changed))
      }
    }
  }

  @Test("random bytes get a step or a failure", arguments: [1, 2, 3] as [UInt64])
  func randomBytes(seed: UInt64) {
    var generator = RandomNumbers(seed: seed)
    for _ in 0..<5000 {
      var bytes = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
        UInt8.random(in: 0...255, using: &generator)
      }
      #expect(isAnswered(bytes))
      // With the right number and small values the fields behind it are reached.
      bytes = bytes.map { $0 % 6 }
      #expect(isAnswered([PolicyQuestion.number] + bytes))
    }
  }
}
