import CSystemCalls
import CoreConnections
import Glibc

/// The person's language: catalogs of gettext (`po/`), which lie where they were installed or built.
package enum Catalog {
  static let domain = "authcore"

  /// Has texts looked up in the language that the environment names. Before the first window.
  package static func open() {
    unsafe setlocale(LC_ALL, "")
    unsafe bindtextdomain(domain, folder)
    unsafe bind_textdomain_codeset(domain, "UTF-8")
  }

  /// `PREFIX/share/locale` of `PREFIX/lib/authcore/bin/PROGRAM` (scripts/install), else
  /// `share/locale` beside the program (scripts/make-catalogs).
  private static var folder: String {
    let programs = CoreProgram.folder()
    let installed = "/lib/authcore/bin"
    return programs.hasSuffix(installed)
      ? programs.dropLast(installed.count) + "/share/locale" : programs + "/share/locale"
  }
}

/// A text in the person's language. Each `%s` in it stands for one value, in order; `%1$s`, `%2$s`
/// where a language orders them otherwise.
package func localized(_ text: String, _ values: String...) -> String {
  // Without a translation gettext answers with the very bytes that it was asked about.
  let found = unsafe text.withCString { text in
    unsafe String(cString: dgettext(Catalog.domain, text))
  }
  return filled(found, values)
}

/// The same for a number of things: `one` of them or `several`; `%s` stands for the number first.
package func localized(_ one: String, _ several: String, count: Int, _ values: String...) -> String
{
  let found = unsafe one.withCString { one in
    unsafe several.withCString { several in
      unsafe String(cString: dngettext(Catalog.domain, one, several, UInt(clamping: count)))
    }
  }
  return filled(found, ["\(count)"] + values)
}

/// Puts values into a text; one that it does not want is left out.
func filled(_ text: String, _ values: [String]) -> String {
  var result = ""
  var next = 0
  var rest = text[...]
  while let percent = rest.firstIndex(of: "%") {
    result += rest[..<percent]
    rest = rest[rest.index(after: percent)...]
    if rest.hasPrefix("s") {
      result += next < values.count ? values[next] : ""
      next += 1
      rest = rest.dropFirst()
    } else if let digit = rest.first?.wholeNumberValue, rest.dropFirst().hasPrefix("$s") {
      result += 1...values.count ~= digit ? values[digit - 1] : ""
      rest = rest.dropFirst(3)
    } else {
      result += "%"
      if rest.hasPrefix("%") { rest = rest.dropFirst() }
    }
  }
  return result + rest
}
