// The policy engine: a pure function from a request, the device's state and what has happened to
// the next step.

package import AuthcoreABI
package import EngineKit
package import Protocol

/// Answers every ``PolicyQuestion`` with a ``PolicyStep``. Remembers nothing from one question to
/// the next.
package final class PolicyEngine: Engine {
  package static var kind: ac_engine_kind_t { ac_engine_kind_t(AC_ENGINE_POLICY) }
  package static var name: StaticString { "rules-policy" }
  package static var version: StaticString { "1.0" }

  package init(services: EngineServices) throws(Failure) {}

  package func handle(_ request: Span<UInt8>) -> SecretBytes { Self.answer(request) }

  /// The reply to the bytes of a question, or a ``Failure`` where they are none.
  package static func answer(_ request: Span<UInt8>) -> SecretBytes {
    do throws(DecodeError) {
      return PolicyStep(decide(try PolicyQuestion.decode(request))).encoded()
    } catch {
      return Failure(
        .engineFailed, "the policy engine was asked something it does not understand: \(error)",
        hint: "core and policy engine are of different versions: install both from one build"
      ).encoded()
    }
  }

  /// The next step: that of the first rule which has one to say. Where none has, nothing is
  /// permitted.
  package static func decide(_ question: PolicyQuestion) -> PolicyStep.Action {
    for rule in question.request.rules {
      if let action = rule.step(for: question) { return action }
    }
    return .fail(
      Failure(.authenticationFailed, "no rule of the policy permits this request"))
  }
}
