import CExpat
import Protocol

extension TextTree {
  /// Reads XML. A document type is refused, and with it every entity that a file could declare.
  /// - Throws: `importUnreadable` for anything else, or too much of it.
  static func xml(_ bytes: Span<UInt8>) throws(Failure) -> TextTree {
    // A character of one byte may have two in UTF-8.
    let reader = XMLReader(TextTree(room: 2 * bytes.count))
    guard reader.read(bytes), reader.tree.isComplete else {
      throw Failure(
        .importUnreadable,
        reader.hasDocumentType
          ? "the XML in it declares a document type, which no password manager writes"
          : "the XML in it is broken, cut off or too large",
        hint: "export the file again")
    }
    return reader.tree
  }
}

/// Gives what expat reads to a tree. The parser lives as long as the object.
@safe
private final class XMLReader {
  let tree: TextTree
  private(set) var hasDocumentType = false
  private var parser: XML_Parser?

  init(_ tree: TextTree) {
    self.tree = tree
    unsafe parser = XML_ParserCreate(nil)
  }

  deinit { unsafe XML_ParserFree(parser) }

  /// - Returns: whether all of it was read.
  func read(_ bytes: Span<UInt8>) -> Bool {
    // The parser calls back only while this call lasts, and `self` outlives that.
    guard let parser = unsafe parser, bytes.count <= Int32.max else { return false }
    unsafe XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
    unsafe XML_SetElementHandler(
      parser,
      { reader, name, _ in
        guard let reader = unsafe XMLReader.of(reader), let name = unsafe name else { return }
        if !reader.tree.begin(named: unsafe String(cString: name)) { reader.stop() }
      }, { reader, _ in unsafe XMLReader.of(reader)?.tree.end() })
    unsafe XML_SetCharacterDataHandler(parser) { reader, text, count in
      guard let reader = unsafe XMLReader.of(reader), let text = unsafe text else { return }
      // expat gives `count` bytes of UTF-8.
      let bytes = unsafe UnsafeRawBufferPointer(start: text, count: Int(count))
      if !reader.tree.add(unsafe Span(_unsafeBytes: bytes)) { reader.stop() }
    }
    unsafe XML_SetStartDoctypeDeclHandler(parser) { reader, _, _, _, _ in
      guard let reader = unsafe XMLReader.of(reader) else { return }
      reader.hasDocumentType = true
      reader.stop()
    }
    return unsafe bytes.withUnsafeBytes {
      unsafe XML_Parse(
        parser, $0.baseAddress?.assumingMemoryBound(to: CChar.self), Int32($0.count), 1)
    } == XML_STATUS_OK
  }

  private static func of(_ pointer: UnsafeMutableRawPointer?) -> XMLReader? {
    unsafe pointer.map { unsafe Unmanaged<XMLReader>.fromOpaque($0).takeUnretainedValue() }
  }

  private func stop() { _ = unsafe XML_StopParser(parser, 0) }
}
