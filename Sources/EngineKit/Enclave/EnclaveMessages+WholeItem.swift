package import Wire

/// ``OpenItem`` and an ``OpenAttributes`` of one entry in one message, for the item that is the only one a query names: the way to the
/// enclave and back takes longer than its work. Reply: ``OpenedWholeItem``; a failure only where this is no message.
package struct OpenWholeItem: WireMessage, Equatable {
  package static var number: UInt8 { 89 }
  package let item: OpenItem
  package let attributes: AttributesEntry
  package init(item: OpenItem, attributes: AttributesEntry) {
    self.item = item
    self.attributes = attributes
  }
  /// The item first, and of that the context: as in ``OpenItem``, so that whoever passes it on finds it in the same place.
  package borrowing func encode(into encoder: inout WireEncoder) {
    item.encode(into: &encoder)
    attributes.encode(into: &encoder)
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    item = try OpenItem(from: &decoder)
    attributes = try AttributesEntry(from: &decoder)
  }
}

extension OpenItem {
  /// The context in which an ``OpenItem`` or an ``OpenWholeItem`` opens; nil where the bytes are
  /// neither. Both begin with it, so whoever passes them on need not read the item.
  package static func context(ofOpening message: Span<UInt8>) -> UInt64? {
    var decoder = WireDecoder(message)
    do {
      let number = try decoder.readByte()
      guard number == OpenItem.number || number == OpenWholeItem.number else { return nil }
      return try decoder.readUInt64()
    } catch {
      return nil
    }
  }
}

/// The results of ``OpenWholeItem``, each as if it had been asked for alone.
package struct OpenedWholeItem: WireMessage, ~Copyable {
  package static var number: UInt8 { 90 }
  package let attributes: AttributeBatch.Result
  /// The reply to the ``OpenItem``, encoded; also where that is a failure.
  package let itemReply: SecretBytes
  package init(attributes: AttributeBatch.Result, itemReply: consuming SecretBytes) {
    self.attributes = attributes
    self.itemReply = itemReply
  }
  package borrowing func encode(into encoder: inout WireEncoder) {
    attributes.encode(into: &encoder)
    encoder.writeSecret(itemReply)
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    let attributes = try AttributeBatch.Result(from: &decoder)
    // An opened secret with its number and length is the longest reply.
    self.init(
      attributes: attributes, itemReply: try decoder.readSecret(limit: largestItemSecret + 64))
  }
}
