import EngineKit
import Wire

extension KeychainEngine {
  /// ``RemoveItems``: found by their hashes alone, so that no class need be open and no one be asked.
  func remove(_ request: RemoveItems) throws(Failure) -> SecretBytes {
    try Self.requireSupported(request.query.itemClass)
    let filter = try enclave.filter(for: request.query, in: request.application)
    switch try store.remove(filter, atMost: request.allowsSeveral ? .max : 1) {
    case .removed(0): throw Self.notFound
    case .removed(let count): return ItemsChanged(count: UInt32(clamping: count)).encoded()
    case .tooMany:
      throw Self.ambiguous(
        try candidates(for: request.query, of: request.application),
        hint: "name the service, account and label of one, or remove them with --all")
    }
  }

  /// ``RemovePasscodeBoundItems``: the enclave has destroyed what would open them.
  func removePasscodeBound(_ request: RemovePasscodeBoundItems) throws(Failure) -> SecretBytes {
    ItemsChanged(count: UInt32(clamping: try store.removePasscodeBound())).encoded()
  }
}
