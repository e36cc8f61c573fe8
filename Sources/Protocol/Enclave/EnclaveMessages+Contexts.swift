/// How many contexts there can be at a time; beyond that the enclave answers `busy`.
package enum ContextLimits {
  /// Of one connection.
  package static let ofConnection = 32
  /// Those of them that a connection has whatever others do: one for the request under way, and one
  /// that outlives it.
  package static let certain = 2
  /// What all connections together have beyond those.
  package static let shared = 72 * ofConnection
}
