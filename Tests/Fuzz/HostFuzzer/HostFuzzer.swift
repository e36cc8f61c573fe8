import LinuxSystem
import PluginHosting
import Protocol
import TestSupport

/// Feeds the messages between core and host in both directions, a frame socket in pieces, the cache
/// of descriptions, and the value of --driver.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  guard let bytes = unsafe bytes else { return 0 }
  let input = unsafe Span(_unsafeStart: bytes, count: count)
  _ = try? HostReport.decode(SecretBytes(copying: input))
  _ = try? TouchOutcome.decode(input)
  var decoding = Decoding(input: unsafe Array(UnsafeBufferPointer(start: bytes, count: count)))
  EveryHostMessage.visit(with: &decoding)
  _ = try? DescriptionCache(decoding: input)
  _ = CaptureMessages.stamp(SecretBytes(copying: input), channel: 7)
  assemble(input)
  let text = unsafe String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  _ = try? DriverArgument(parsing: text)
  return 0
}

private struct Decoding: MessageVisitor {
  let input: [UInt8]

  mutating func visit<Message: WireMessage & ~Copyable>(_ type: Message.Type) {
    _ = try? Message.decode(input.span)
  }
}

/// The first byte is the size of the pieces in which the rest arrives.
private func assemble(_ input: Span<UInt8>) {
  guard input.count > 0 else { return }
  let piece = Int(input[0]) + 1
  var assembler = MessageAssembler(limit: 4096)
  var offset = 1
  while offset < input.count {
    do throws(StreamError) {
      let message = unsafe try assembler.take { space throws(StreamError) -> Int in
        let count = min(space.count, piece, input.count - offset)
        for index in 0..<count { unsafe space[index] = input[offset + index] }
        offset += count
        return count
      }
      if let message { precondition(message.count <= 4096) }
    } catch {
      return
    }
  }
}
