import ClientProtocol
import EngineKit
import Wire

/// Feeds every decoder of the mailboxes and of the client protocol.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  guard let bytes = unsafe bytes else { return 0 }
  let input = unsafe Span(_unsafeStart: bytes, count: count)
  mailboxes(input)
  clients(input)
  return 0
}

private func mailboxes(_ input: Span<UInt8>) {
  decode(input, EngineKit.OpenChannel.self)
  decode(input, EngineKit.CloseChannel.self)
  decode(input, EngineKit.BeginMatch.self)
  decode(input, EngineKit.BeginEnrolment.self)
  decode(input, EngineKit.CommitEnrolment.self)
  decode(input, EngineKit.EndSession.self)
  decode(input, EngineKit.EnrolledFinger.self)
  decode(input, EngineKit.ListFingers.self)
  decode(input, EngineKit.FingerList.self)
  decode(input, EngineKit.RenameFinger.self)
  decode(input, EngineKit.RemoveFinger.self)
  decode(input, EngineKit.SealItem.self)
  decode(input, EngineKit.SealedItem.self)
  decode(input, EngineKit.OpenItem.self)
  decode(input, EngineKit.OpenedItem.self)
  decode(input, EngineKit.OpenWholeItem.self)
  decode(input, EngineKit.OpenedWholeItem.self)
  decode(input, EngineKit.EvidenceNeeded.self)
  decode(input, EngineKit.SealAttributes.self)
  decode(input, EngineKit.OpenAttributes.self)
  decode(input, EngineKit.AttributeBatch.self)
  decode(input, EngineKit.HashAttributes.self)
  decode(input, EngineKit.SetPasscode.self)
  decode(input, EngineKit.VerifyPasscode.self)
  decode(input, EngineKit.ChangePasscode.self)
  decode(input, EngineKit.RemovePasscode.self)
  decode(input, EngineKit.GetEnclaveStatus.self)
  decode(input, EngineKit.EnclaveStatus.self)
  decode(input, EngineKit.LockDevice.self)
  decode(input, EngineKit.UnlockWithMatch.self)
  decode(input, EngineKit.OpenContext.self)
  decode(input, EngineKit.CloseContext.self)
  decode(input, EngineKit.GetContextEvidence.self)
  decode(input, EngineKit.ContextEvidence.self)
  decode(input, EngineKit.TouchEvent.self)
  decode(input, EngineKit.AddItem.self)
  decode(input, EngineKit.ItemAdded.self)
  decode(input, EngineKit.FindItems.self)
  decode(input, EngineKit.FoundItems.self)
  decode(input, EngineKit.GetItem.self)
  decode(input, EngineKit.GotItem.self)
  decode(input, EngineKit.UpdateItems.self)
  decode(input, EngineKit.RemoveItems.self)
  decode(input, EngineKit.RemovePasscodeBoundItems.self)
  decode(input, EngineKit.ItemsChanged.self)
  decode(input, EngineKit.PolicyQuestion.self)
  decode(input, EngineKit.PolicyStep.self)
}

private func clients(_ input: Span<UInt8>) {
  decode(input, ClientProtocol.UseDriver.self)
  decode(input, ClientProtocol.Evaluate.self)
  decode(input, ClientProtocol.CanEvaluate.self)
  decode(input, ClientProtocol.Evaluated.self)
  decode(input, ClientProtocol.EnrollFinger.self)
  decode(input, ClientProtocol.FingerEnrolled.self)
  decode(input, ClientProtocol.ListFingers.self)
  decode(input, ClientProtocol.Fingers.self)
  decode(input, ClientProtocol.RenameFinger.self)
  decode(input, ClientProtocol.RemoveFinger.self)
  decode(input, ClientProtocol.TestFinger.self)
  decode(input, ClientProtocol.FingerTested.self)
  decode(input, ClientProtocol.Hello.self)
  decode(input, ClientProtocol.Welcome.self)
  decode(input, ClientProtocol.Quit.self)
  decode(input, ClientProtocol.AddItem.self)
  decode(input, ClientProtocol.ItemAdded.self)
  decode(input, ClientProtocol.FindItems.self)
  decode(input, ClientProtocol.FoundItems.self)
  decode(input, ClientProtocol.GetItem.self)
  decode(input, ClientProtocol.GotItem.self)
  decode(input, ClientProtocol.UpdateItems.self)
  decode(input, ClientProtocol.RemoveItems.self)
  decode(input, ClientProtocol.ItemsChanged.self)
  decode(input, ClientProtocol.LockDevice.self)
  decode(input, ClientProtocol.UnlockDevice.self)
  decode(input, ClientProtocol.SetPasscode.self)
  decode(input, ClientProtocol.ChangePasscode.self)
  decode(input, ClientProtocol.RemovePasscode.self)
  decode(input, ClientProtocol.Progress.self)
  decode(input, ClientProtocol.PromptAnswer.self)
  decode(input, ClientProtocol.Prompt.self)
  decode(input, ClientProtocol.Cancel.self)
  decode(input, ClientProtocol.CoreReady.self)
  decode(input, ClientProtocol.GetStatus.self)
  decode(input, ClientProtocol.CoreStatus.self)
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
