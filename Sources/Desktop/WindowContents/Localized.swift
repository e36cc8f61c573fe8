import CSystemCalls
package import CoreClient
import Glibc

/// The catalogs of gettext (`po/`), where they were installed or built.
package enum Catalog {
  static let domain = "authcore"

  /// Selects the language of the environment. Call it before the first window.
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

/// A phrase in the user's language.
package func localized(_ phrase: Phrase) -> String {
  // Without a translation, gettext returns the pointer that it was given.
  let words = unsafe phrase.key.withCString { key in
    guard let plural = phrase.plural else {
      return unsafe String(cString: dgettext(Catalog.domain, key))
    }
    return unsafe plural.key.withCString { several in
      let count = UInt(clamping: plural.count)
      return unsafe String(cString: dngettext(Catalog.domain, key, several, count))
    }
  }
  return phrase.filled(words)
}

/// A text in the user's language. Each `%s` stands for one value.
package func localized(_ text: String, _ values: String...) -> String {
  localized(Phrase(key: text, values: values))
}

/// The same for a count: `one` or `several`. The first `%s` stands for the count.
package func localized(_ one: String, _ several: String, count: Int, _ values: String...) -> String
{
  localized(Phrase(one, several, count: count, values: values))
}

extension String {
  /// The text, escaped for where libadwaita expects markup.
  package var asMarkup: String {
    var safe = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "&": safe += "&amp;"
      case "<": safe += "&lt;"
      case ">": safe += "&gt;"
      case "\0": safe += "\u{FFFD}"
      default: safe.unicodeScalars.append(scalar)
      }
    }
    return safe
  }
}
