package import SensorKit

extension UsbmonPacket {
  /// The event with which a transfer begins.
  package init(submissionOf transfer: USBTransfer, identifier: UInt64, bus: UInt16, address: UInt8)
  {
    self.init(
      identifier: identifier, event: .submission, kind: .control, endpoint: 0, bus: bus,
      address: address, status: Self.inProgress, length: transfer.length)
    switch transfer {
    case .control(let setup, let data):
      endpoint = setup.type & 0x80
      self.setup = setup
      self.data = data
    case .read(let endpoint, _):
      (kind, self.endpoint) = (endpoint.kind == .bulk ? .bulk : .interrupt, endpoint.address)
    case .write(let endpoint, let data):
      (kind, self.endpoint) = (endpoint.kind == .bulk ? .bulk : .interrupt, endpoint.address)
      self.data = data
    }
  }

  /// The event with which it ends: `status` is 0 or a negative `errno`, `count` how many bytes
  /// moved, `bytes` those that were read.
  package func completion(status: Int32, count: Int, bytes: [UInt8]) -> UsbmonPacket {
    UsbmonPacket(
      identifier: identifier, event: .completion, kind: kind, endpoint: endpoint, bus: bus,
      address: address, status: status, length: count, data: bytes)
  }

  /// `-EINPROGRESS`
  private static let inProgress: Int32 = -115
}
