#if DEBUG
  import LinuxSystem
  import Synchronization

  @testable import Protocol

  /// Counts the blocks of secret memory of this process in which a secret lay, as they are wiped. One
  /// at a time: a secret of its own tells them from those of other tests.
  final class CountedBuffers {
    private let found = Guarded([Int]())

    init(of secret: [UInt8]) {
      let found = found
      unsafe SecretMemory.witness.withLock { witness in
        unsafe witness = { block in
          if unsafe Self.contains(block, secret) { found.update { $0.append(block.count) } }
        }
      }
    }

    deinit { unsafe SecretMemory.witness.withLock { unsafe $0 = nil } }

    /// How long each was that was wiped since the last time.
    func take() -> [Int] {
      found.update { found in
        defer { found = [] }
        return found
      }
    }

    @unsafe private static func contains(_ block: UnsafeRawBufferPointer, _ part: [UInt8]) -> Bool {
      guard block.count >= part.count else { return false }
      return (0...block.count - part.count).contains { start in
        unsafe block[start] == part[0] && block[start..<start + part.count].elementsEqual(part)
      }
    }
  }
#endif
