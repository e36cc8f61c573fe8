import PolicyEngine
import Protocol
import Testing

@Suite("Policy tables")
struct PolicyTableTests {
  /// The first few questions that are answered otherwise than the table says, or with a failure
  /// that helps nobody.
  private func mistakes(in tabled: TabledRequest) -> [String] {
    var mistakes: [String] = []
    for (device, client) in everySituation {
      for progress in everyProgress {
        let question = PolicyQuestion(
          request: tabled.request, device: device, client: client, progress: progress)
        let expected = tabled.table.outcome(of: Facts(question))
        let action = PolicyEngine.decide(question)
        guard action.text != expected || !isHelpful(action) else { continue }
        mistakes.append("\(action), not \(expected), for \(question)")
        if mistakes.count == 3 { return mistakes }
      }
    }
    return mistakes
  }

  /// A failure names its thing in a sentence and says the way out, unless somebody wanted the end.
  private func isHelpful(_ action: PolicyStep.Action) -> Bool {
    guard case .fail(let failure) = action else { return true }
    let isSentence = failure.message.contains(" ") && !failure.message.hasSuffix(".")
    return isSentence
      && (failure.hint != nil || failure.code == .userCancel || failure.code == .appCancel)
  }

  @Test(
    "L1, L3, L4, L6, L8, L10, A4, A6: every state, event and client leads where the table says",
    arguments: plainRequests)
  func policies(_ request: TabledRequest) {
    #expect(mistakes(in: request) == [])
  }

  @Test(
    "A1, A2, A3, A4, E4: an item asks for what its context has not proved, in every state",
    arguments: accessRequests)
  func accessControls(_ request: TabledRequest) {
    #expect(mistakes(in: request) == [])
  }

  @Test("every access control and every held evidence has a table")
  func coverage() throws {
    #expect(accessRequests.count == 32 * 4 + 16)
    var possible = 0
    for bits in UInt8(1)...15 {
      for junction in [AccessControl.Junction.and, .or] {
        guard
          let control = try? AccessControl(
            AccessControl.Constraints(rawValue: bits), joinedBy: junction)
        else { continue }
        // A single constraint is one control, whatever joins it.
        guard control.junction == junction else { continue }
        possible += 1
        #expect(accessTables.contains { $0.control == control.text }, "\(control.text)")
      }
    }
    #expect(possible == accessTables.count)
  }
}
