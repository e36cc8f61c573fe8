import CSystemCalls
import Glibc
import LinuxSystem
import Protocol
import Synchronization

/// The bytes of the file of a state that is handed over next. They lie in a file without a name in the
/// user's folder, so what is not finished is gone with the connection that sent it.
final class HandedOverFile: Sendable {
  private struct State: ~Copyable {
    weak var giver: (any AnyObject & Sendable)?
    var file: Descriptor?
    var count = 0
  }

  /// The user's state folder, absolute.
  private let folder: String
  private let state = Mutex(State())

  /// Most bytes of all files of a state: a database of the largest keychain with its log.
  static let most = largestKeychain + largestKeychain / 4

  init(folder: String) { self.folder = folder }

  /// Adds bytes that a connection sent to those that it sent before.
  /// - Throws: `busy` where another connection is sending a file, `unsupported` where there are too
  ///   many, `storageFailed`.
  func add(_ bytes: [UInt8], from giver: any AnyObject & Sendable) throws(Failure) {
    let failure: Failure? = state.withLock { state in
      if let other = state.giver, other !== giver { return StateAdoption.anotherMoves }
      if state.giver == nil { state = State(giver: giver) }
      do throws(Failure) {
        let file = if let file = state.file.take() { file } else { try make() }
        state.count += bytes.count
        guard state.count <= Self.most else { throw StateAdoption.tooLarge }
        try write(bytes, to: file)
        state.file = consume file
        return nil
      } catch {
        state = State()
        return error
      }
    }
    if let failure { throw failure }
  }

  /// The file with all bytes that the connection sent; the next one begins anew.
  /// - Throws: `usage` where it sent none.
  func take(_ name: String, from giver: any AnyObject & Sendable) throws(Failure) -> Descriptor {
    let file = state.withLock { state -> Descriptor? in
      guard state.giver === giver else { return nil }
      defer { state = State() }
      return state.file.take()
    }
    guard let file else { throw Failure(.usage, "the file \(name) did not arrive") }
    return file
  }

  private func make() throws(Failure) -> Descriptor {
    let number = unsafe ac_open_at(AT_FDCWD, folder, O_RDWR | Self.temporary | O_CLOEXEC, 0o600)
    guard number >= 0 else { throw StateAdoption.failure("create a file in", folder) }
    return Descriptor(owning: number)
  }

  private func write(_ bytes: [UInt8], to file: borrowing Descriptor) throws(Failure) {
    guard DescriptorBytes.write(bytes.span, to: file.number) else {
      throw StateAdoption.failure("write to a file in", folder)
    }
  }

  private static let temporary: Int32 = 0o20_200_000  // O_TMPFILE
}
