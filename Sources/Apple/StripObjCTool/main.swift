// strip-objc SOURCE COPY: copies Swift source without what only Objective-C understands. Run by the
// plugin StripObjC.

import Foundation

guard CommandLine.arguments.count == 3 else {
  FileHandle.standardError.write(Data("usage: strip-objc SOURCE COPY\n".utf8))
  exit(64)
}
let (source, copy) = (CommandLine.arguments[1], CommandLine.arguments[2])
do {
  let text = try String(contentsOfFile: source, encoding: .utf8)
  let stripped = ObjCStripper.strip(text)
  let origin = "#sourceLocation(file: \(source.debugDescription), line: 1)\n"
  try Data((origin + stripped).utf8).write(to: URL(filePath: copy))
} catch {
  FileHandle.standardError.write(Data("strip-objc: \(source): \(error)\n".utf8))
  exit(1)
}
