extension EngineRequest {
  borrowing func check() throws(DecodeError) { try EngineMessages.requireShort(message) }
}
