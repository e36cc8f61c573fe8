internal import SensorKit

struct SimulatedTransfer {
  typealias Outcome = Result<USBTransferResult, SensorFailure>

  let identifier: UInt32
  let transfer: USBTransfer
  /// nil until it is over.
  var result: Outcome?

  init(identifier: UInt32, transfer: USBTransfer) {
    self.identifier = identifier
    self.transfer = transfer
  }
}
