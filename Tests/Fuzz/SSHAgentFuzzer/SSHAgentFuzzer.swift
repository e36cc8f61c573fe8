import SSHAgent

/// Sends the input to a session of the SSH agent as the bytes of one client, in state.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  guard let bytes = unsafe bytes else { return 0 }
  let input = unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
  AgentRehearsal.take(input)
  return 0
}
