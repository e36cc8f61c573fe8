import Protocol

/// Makes the states before the first run, whose time is limited.
@c(LLVMFuzzerInitialize)
public func prepare(
  _ count: UnsafeMutablePointer<Int32>?, _ arguments: UnsafeMutableRawPointer?
) -> Int32 {
  precondition(!StartingState.all.isEmpty)
  return 0
}

/// Drives the enclave with the sequence of requests in the input (``FuzzProgram``), from one of
/// several states, and checks after each what must always hold.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  var program = FuzzProgram(unsafe Array(UnsafeBufferPointer(start: bytes, count: count)))
  var device = FuzzedDevice(StartingState.all[program.next(below: StartingState.all.count)])
  var steps = 0
  while !program.isAtEnd, steps < mostSteps {
    device.perform(&program)
    steps += 1
  }
  device.checkEvidence()
  return 0
}

/// The most steps of an input, so that a run stays short.
private let mostSteps = 24

/// An input, read as the steps of a program. Zeros follow its end.
struct FuzzProgram {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { position >= bytes.count }

  mutating func next() -> UInt8 {
    guard position < bytes.count else { return 0 }
    defer { position += 1 }
    return bytes[position]
  }

  mutating func next(below count: Int) -> Int { Int(next()) % count }

  mutating func nextLong() -> Int { Int(next()) << 8 | Int(next()) }

  mutating func nextBoolean() -> Bool { next() & 1 == 1 }

  /// At most 255 bytes.
  mutating func nextBytes() -> [UInt8] {
    let count = min(Int(next()), bytes.count - position)
    defer { position += count }
    return Array(bytes[position..<position + count])
  }
}

/// A change of bytes before they are used.
enum Edit {
  case set(at: Int, UInt8)
  case cut(to: Int)
  case insert(at: Int, UInt8)
  case remove(at: Int)

  init(_ program: inout FuzzProgram) {
    let kind = program.next(below: 4)
    let (place, byte) = (program.nextLong(), program.next())
    switch kind {
    case 0: self = .set(at: place, byte)
    case 1: self = .cut(to: place)
    case 2: self = .insert(at: place, byte)
    default: self = .remove(at: place)
    }
  }

  func apply(to bytes: inout [UInt8]) {
    switch self {
    case .set(let place, let byte): if !bytes.isEmpty { bytes[place % bytes.count] ^= byte }
    case .cut(let place): bytes = Array(bytes.prefix(place % (bytes.count + 1)))
    case .insert(let place, let byte): bytes.insert(byte, at: place % (bytes.count + 1))
    case .remove(let place): if !bytes.isEmpty { bytes.remove(at: place % bytes.count) }
    }
  }
}
