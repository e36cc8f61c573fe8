import Protocol

/// A3: what the context has proved is enough for the item. The enclave checks it again when it
/// opens the item.
struct EvidenceSuffices: PolicyRule {
  let control: AccessControl
  let held: EvidenceSet

  func step(for question: PolicyQuestion) -> PolicyStep.Action? {
    control.isSatisfied(by: held) ? .succeed : nil
  }
}
