import AuthcoreABI
import RecordingTransport
import SensorKit

/// Does what the program of a recording did, and compares what comes with what came.
struct ScriptRun {
  /// A transfer that has not been compared; a read is then waited for, others have ended.
  private struct Begun {
    let transfer: USBTransfer
    var ticket: UInt32 = 0
    var result: (status: Int, bytes: [UInt8])?
  }

  private let device: OpenedDevice
  private var begun: [String: Begun] = [:]
  private(set) var count = 0
  private(set) var differences = 0

  init(_ device: OpenedDevice) {
    self.device = device
  }

  mutating func run(_ recording: Recording) throws {
    switch recording.content {
    case .sequence(let exchanges):
      for exchange in exchanges {
        compare(perform(exchange.transfer), exchange.outcome, exchange.transfer, exchange.place)
      }
    case .script(let entries, _):
      for index in entries.indices { try perform(index, of: entries) }
    }
  }

  private mutating func perform(_ index: Int, of entries: [Recording.Entry]) throws {
    switch entries[index].event {
    case .submission(let transfer, let name):
      // A read may have been queued before a transfer that blocks; see below.
      guard begun[name] == nil else { return }
      if case .read = transfer { return try submit(transfer, name) }
      // Reads that were queued before it ended must be queued before it begins.
      for entry in entries[(index + 1)...] {
        if case .completion(name, _) = entry.event { break }
        if case .submission(let read, let other) = entry.event, case .read = read {
          try submit(read, other)
        }
      }
      begun[name] = Begun(transfer: transfer, result: perform(transfer))
    case .completion(let name, let outcome):
      guard let ended = begun.removeValue(forKey: name) else { return }
      compare(
        ended.result ?? device.wait(ended.ticket, length: ended.transfer.length), outcome,
        ended.transfer, entries[index].place)
    case .unplugged: break
    }
  }

  private mutating func submit(_ transfer: USBTransfer, _ name: String) throws {
    guard case .read(let endpoint, let length) = transfer, begun[name] == nil else { return }
    let (status, ticket) = device.submit(endpoint.kind.rawValue, endpoint.address, length: length)
    guard status == AC_OK else { throw Problem("\(transfer): submit ended with \(status)") }
    begun[name] = Begun(transfer: transfer, ticket: ticket)
  }

  private func perform(_ transfer: USBTransfer) -> (status: Int, bytes: [UInt8]) {
    switch transfer {
    case .control(let setup, let data):
      device.control(
        setup.type, setup.request, setup.value, setup.index,
        data: setup.isRead ? [UInt8](repeating: 0, count: Int(setup.length)) : data)
    case .read(let endpoint, let length):
      device.transfer(
        endpoint.kind.rawValue, endpoint.address, data: [UInt8](repeating: 0, count: length))
    case .write(let endpoint, let bytes):
      device.transfer(endpoint.kind.rawValue, endpoint.address, data: bytes)
    }
  }

  private mutating func compare(
    _ result: (status: Int, bytes: [UInt8]), _ outcome: Recording.Outcome, _ transfer: USBTransfer,
    _ place: RecordingPlace
  ) {
    count += 1
    let (status, bytes): (Int, [UInt8]) =
      switch outcome {
      case .bytes(let bytes): (AC_OK, bytes)
      case .cancelled: (AC_OK, [])
      case .stall: (AC_ERR_STALL, [])
      case .timeout: (AC_ERR_TIMEOUT, [])
      case .gone: (AC_ERR_GONE, [])
      case .failure: (AC_ERR_IO, [])
      }
    guard result.status == status, !transfer.isRead || result.bytes == bytes else {
      differences += 1
      print("\(place) \(transfer): \(result.status), \(result.bytes.count) bytes, not \(outcome)")
      return
    }
  }
}
