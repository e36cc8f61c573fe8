extension CallProgress {
  /// Misses that end a call (CLI.md, "Misses").
  package static var mostMisses: UInt32 { 3 }
}
