// Made by scripts/make-message-list from the declarations.
import ClientProtocol
import EngineKit
package import Wire

/// Something done with each kind of message.
package protocol MessageVisitor {
  mutating func visit<Message: WireMessage & ~Copyable>(_ type: Message.Type)
}

/// Every message that clients, core and engines send each other.
package enum EveryMessage {
  /// Visits one kind after the other.
  package static func visit(with visitor: inout some MessageVisitor) {
    visitor.visit(SensorEnd.self)
    visitor.visit(SensorFrame.self)
    visitor.visit(SensorRetry.self)
    visitor.visit(Done.self)
    visitor.visit(Failure.self)
    visitor.visit(SetPasscode.self)
    visitor.visit(LockDevice.self)
    visitor.visit(EvidenceNeeded.self)
    visitor.visit(ListFingers.self)
    visitor.visit(FingerList.self)
    visitor.visit(RenameFinger.self)
    visitor.visit(RemoveFinger.self)
    visitor.visit(EnrolledFinger.self)
    visitor.visit(AddItem.self)
    visitor.visit(ItemAdded.self)
    visitor.visit(FindItems.self)
    visitor.visit(FoundItems.self)
    visitor.visit(GetItem.self)
    visitor.visit(GotItem.self)
    visitor.visit(UpdateItems.self)
    visitor.visit(RemoveItems.self)
    visitor.visit(ItemsChanged.self)
    visitor.visit(UseDriver.self)
    visitor.visit(EngineRequest.self)
    visitor.visit(Evaluate.self)
    visitor.visit(CanEvaluate.self)
    visitor.visit(Evaluated.self)
    visitor.visit(EnrollFinger.self)
    visitor.visit(TestFinger.self)
    visitor.visit(FingerTested.self)
    visitor.visit(Hello.self)
    visitor.visit(Welcome.self)
    visitor.visit(Quit.self)
    visitor.visit(ChangePasscode.self)
    visitor.visit(RemovePasscode.self)
    visitor.visit(UnlockDevice.self)
    visitor.visit(Progress.self)
    visitor.visit(PromptAnswer.self)
    visitor.visit(Prompt.self)
    visitor.visit(Cancel.self)
    visitor.visit(CoreReady.self)
    visitor.visit(GetStatus.self)
    visitor.visit(CoreStatus.self)
    visitor.visit(OpenChannel.self)
    visitor.visit(CloseChannel.self)
    visitor.visit(BeginMatch.self)
    visitor.visit(BeginEnrolment.self)
    visitor.visit(CommitEnrolment.self)
    visitor.visit(EndSession.self)
    visitor.visit(AwaitTouch.self)
    visitor.visit(SealItem.self)
    visitor.visit(SealedItem.self)
    visitor.visit(OpenItem.self)
    visitor.visit(OpenedItem.self)
    visitor.visit(SealAttributes.self)
    visitor.visit(OpenAttributes.self)
    visitor.visit(AttributeBatch.self)
    visitor.visit(HashAttributes.self)
    visitor.visit(OpenItemWithAttributes.self)
    visitor.visit(OpenedItemWithAttributes.self)
    visitor.visit(VerifyPasscode.self)
    visitor.visit(ReplacePasscode.self)
    visitor.visit(ErasePasscode.self)
    visitor.visit(GetEnclaveStatus.self)
    visitor.visit(EnclaveStatus.self)
    visitor.visit(UnlockWithMatch.self)
    visitor.visit(OpenContext.self)
    visitor.visit(CloseContext.self)
    visitor.visit(GetContextEvidence.self)
    visitor.visit(ContextEvidence.self)
    visitor.visit(TouchEvent.self)
    visitor.visit(RemovePasscodeBoundItems.self)
    visitor.visit(PolicyQuestion.self)
    visitor.visit(PolicyStep.self)
  }

  /// The envelopes, which are read where they lie and are no `WireMessage`.
  package static let envelopes = ["ApplicationRequest", "KeychainRequest"]
}
