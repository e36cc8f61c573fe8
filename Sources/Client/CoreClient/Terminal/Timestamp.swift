import Glibc

/// Times as programs print them.
package enum Timestamp {
  package static func secondsSince1970() -> Int64 { Int64(time(nil)) }

  /// ISO 8601 in UTC, to the second: `2026-03-01T09:30:00Z`.
  package static func text(_ secondsSince1970: Int64) -> String {
    let (days, second) = divided(secondsSince1970, by: 86_400)
    let time = [second / 3600, second / 60 % 60, second % 60].map { padded($0) }
    return date(days) + "T" + time.joined(separator: ":") + "Z"
  }

  /// The day, for tables: `2026-03-01`.
  package static func day(_ secondsSince1970: Int64) -> String {
    date(divided(secondsSince1970, by: 86_400).quotient)
  }

  /// The Gregorian date of a day counted from 1970-01-01.
  ///
  /// Years begin in March here, so that the leap day is the last day of its year. 400 years have
  /// 146,097 days. Months follow (153 m + 2) / 5 (E. G. Richards, "Calendars", Explanatory
  /// Supplement to the Astronomical Almanac, §15.11).
  private static func date(_ days: Int64) -> String {
    let (era, day) = divided(days + 719_468, by: 146_097)
    let yearOfEra = (day - day / 1460 + day / 36_524 - day / 146_096) / 365
    let dayOfYear = day - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let dayOfMonth = dayOfYear - (153 * month + 2) / 5 + 1
    let year = era * 400 + yearOfEra + (month >= 10 ? 1 : 0)
    return [padded(year, 4), padded(month < 10 ? month + 3 : month - 9), padded(dayOfMonth)]
      .joined(separator: "-")
  }

  private static func divided(
    _ number: Int64, by divisor: Int64
  ) -> (quotient: Int64, remainder: Int64) {
    let remainder = number % divisor
    return remainder >= 0
      ? (number / divisor, remainder) : (number / divisor - 1, remainder + divisor)
  }

  private static func padded(_ value: Int64, _ width: Int = 2) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
