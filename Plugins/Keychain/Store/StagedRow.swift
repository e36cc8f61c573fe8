import EngineKit
import Wire

/// A row that a restore brings.
struct StagedRow {
  let identifier: [UInt8]
  let itemClass: ItemClass
  let accessibility: Accessibility
  let name: HashedName
  /// In whose place it comes; nil for another item.
  let replaced: ItemRow?
  var sealed = SealedFromBackup.Item(attributes: [], secret: [])
}
