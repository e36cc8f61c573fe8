import Cryptography
import Glibc
import Sandbox
import Wire

/// The least that reading an item can cost on this machine: AES-256-GCM of its secret, and two round trips over a socket.
struct PathFloor {
  /// Opening one sealed secret.
  let sealing: Duration
  /// One byte to another thread of this process and back, over a Unix socket.
  let roundTrip: Duration

  private static let runs = 2000

  /// The sum.
  var total: Duration { sealing + roundTrip * 2 }

  /// Measures both.
  init(secretSize: Int) throws(Failure) {
    roundTrip = try Self.measureRoundTrip()
    do throws(CryptographyError) {
      sealing = try Self.measureOpening(secretSize)
    } catch {
      throw Failure(.engineFailed, "\(error)")
    }
  }

  private static func measureOpening(_ size: Int) throws(CryptographyError) -> Duration {
    let key = try SymmetricKey()
    let secret = SecretBytes(count: size)
    let sealed = try AES256GCM.seal(secret.bytes, with: key, authenticating: [])
    var sample = Sample()
    for _ in 0..<runs {
      _ = try sample.measure { () throws(CryptographyError) -> SecretBytes in
        try AES256GCM.open(sealed, with: key, authenticating: [])
      }
    }
    return sample.median
  }

  private static func measureRoundTrip() throws(Failure) -> Duration {
    var ends: [Int32] = [-1, -1]
    guard unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else {
      throw Failure(.coreFailed, "socketpair: \(SystemCallError.text(of: errno))")
    }
    let near = Descriptor(owning: ends[0])
    let far = ends[1]
    SystemThread.start(name: "echo") {
      let far = Descriptor(owning: far)
      var byte: UInt8 = 0
      while unsafe read(far.number, &byte, 1) == 1 { _ = unsafe write(far.number, &byte, 1) }
    }
    var sample = Sample()
    var byte: UInt8 = 1
    for _ in 0..<runs {
      sample.measure {
        _ = unsafe write(near.number, &byte, 1)
        _ = unsafe read(near.number, &byte, 1)
      }
    }
    return sample.median
  }
}
