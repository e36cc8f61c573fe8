import ClientProtocol
import EngineKit
import Wire

/// Feeds every decoder of the mailboxes and of the client protocol.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  guard let bytes = unsafe bytes else { return 0 }
  let input = unsafe Span(_unsafeStart: bytes, count: count)
  mailboxes(input)
  vocabulary(input)
  clients(input)
  return 0
}

private func mailboxes(_ input: Span<UInt8>) {
  _ = try? ApplicationRequest(decoding: input)
  _ = try? KeychainRequest(decoding: input)
  decode(input, OpenChannel.self)
  decode(input, CloseChannel.self)
  decode(input, BeginMatch.self)
  decode(input, AwaitTouch.self)
  decode(input, BeginEnrolment.self)
  decode(input, CommitEnrolment.self)
  decode(input, EndSession.self)
  decode(input, SealItem.self)
  decode(input, SealedItem.self)
  decode(input, OpenItem.self)
  decode(input, OpenedItem.self)
  decode(input, OpenItemWithAttributes.self)
  decode(input, OpenedItemWithAttributes.self)
  decode(input, SealAttributes.self)
  decode(input, OpenAttributes.self)
  decode(input, AttributeBatch.self)
  decode(input, HashAttributes.self)
  decode(input, VerifyPasscode.self)
  decode(input, ReplacePasscode.self)
  decode(input, ErasePasscode.self)
  decode(input, GetEnclaveStatus.self)
  decode(input, EnclaveStatus.self)
  decode(input, UnlockWithMatch.self)
  decode(input, OpenContext.self)
  decode(input, CloseContext.self)
  decode(input, CloseContexts.self)
  decode(input, ForgetEvidence.self)
  decode(input, GetContextEvidence.self)
  decode(input, ContextEvidence.self)
  decode(input, TouchEvent.self)
  decode(input, RemovePasscodeBoundItems.self)
  decode(input, PolicyQuestion.self)
  decode(input, PolicyStep.self)
}

private func vocabulary(_ input: Span<UInt8>) {
  decode(input, AddItem.self)
  decode(input, ItemAdded.self)
  decode(input, FindItems.self)
  decode(input, FoundItems.self)
  decode(input, GetItem.self)
  decode(input, GotItem.self)
  decode(input, UpdateItems.self)
  decode(input, RemoveItems.self)
  decode(input, ItemsChanged.self)
  decode(input, ListFingers.self)
  decode(input, FingerList.self)
  decode(input, RenameFinger.self)
  decode(input, RemoveFinger.self)
  decode(input, EnrolledFinger.self)
  decode(input, SetPasscode.self)
  decode(input, LockDevice.self)
  decode(input, EvidenceNeeded.self)
  decode(input, Failure.self)
  decode(input, Done.self)
  decode(input, SensorFrame.self)
  decode(input, SensorRetry.self)
  decode(input, SensorEnd.self)
}

private func clients(_ input: Span<UInt8>) {
  decode(input, UseDriver.self)
  decode(input, Evaluate.self)
  decode(input, CanEvaluate.self)
  decode(input, Evaluated.self)
  decode(input, EnrollFinger.self)
  decode(input, TestFinger.self)
  decode(input, FingerTested.self)
  decode(input, Hello.self)
  decode(input, Welcome.self)
  decode(input, Quit.self)
  decode(input, UnlockDevice.self)
  decode(input, ChangePasscode.self)
  decode(input, RemovePasscode.self)
  decode(input, Progress.self)
  decode(input, PromptAnswer.self)
  decode(input, Prompt.self)
  decode(input, Cancel.self)
  decode(input, CoreReady.self)
  decode(input, GetStatus.self)
  decode(input, CoreStatus.self)
  decode(input, EngineRequest.self)
  decode(input, NewContext.self)
  decode(input, ContextOpened.self)
  decode(input, InvalidateContext.self)
}

private func decode<Message: WireMessage & ~Copyable>(
  _ input: Span<UInt8>, _ type: Message.Type
) {
  var decoder = WireDecoder(input)
  do {
    let message = try Message(from: &decoder)
    let bytes = message.encoded()
    var again = WireDecoder(bytes.bytes.extracting(droppingFirst: 1))
    _ = try Message(from: &again)
  } catch {
    // Most inputs are no message; what counts is that this line is reached.
  }
}
