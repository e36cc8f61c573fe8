import NB1010Driver

/// Feeds answers of an NB-1010-U: the input itself, cut into messages, and a whole image with bytes
/// changed as the input says.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  guard let bytes = unsafe bytes else { return 0 }
  let input = unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
  for command in [NB1010Command.senseFinger, .prepare, .sendImage] {
    _ = try? NB1010Answer(input, to: command)
  }
  assemble(
    stride(from: 0, to: count, by: NB1010Image.messageLength).map { start in
      Array(input[start..<min(start + NB1010Image.messageLength, count)])
    })
  var messages = wholeImage
  for start in stride(from: 0, to: count - 3, by: 4) {
    let index = Int(input[start]) % messages.count
    let offset = Int(input[start + 1]) << 8 | Int(input[start + 2])
    if offset < messages[index].count {
      messages[index][offset] = input[start + 3]
    } else {
      messages[index].removeLast()
    }
    if messages[index].isEmpty { messages.remove(at: index) }
    if messages.isEmpty { break }
  }
  assemble(messages)
  return 0
}

/// After any message, the image holds whole pairs of lines and no more than its size.
private func assemble(_ messages: [[UInt8]]) {
  var image = NB1010Image()
  for message in messages {
    guard (try? image.append(message)) != nil else { break }
    precondition(image.pixels.count % (2 * NB1010Image.width) == 0)
    precondition(image.pixels.count <= NB1010Image.width * NB1010Image.height)
  }
}

private let wholeImage: [[UInt8]] = (0..<NB1010Image.messageCount).map { index in
  let header: [UInt8] = [
    0x80, 0x21, 0, 0, 0x1C, 0x02, 0, 0, 0, 0, 0, 0, index < NB1010Image.messageCount - 1 ? 1 : 0, 0,
    0, 0, UInt8(index * 2 + 1), 0, 0, 0, 0, 1, 0, 0, 1,
  ]
  return header + [UInt8](repeating: 0x80, count: NB1010Image.messageLength - header.count)
}
