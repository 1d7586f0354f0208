import ChatWire
import SquallCore

/// The age of a message as text, such as "5m ago", and how long that text stays valid.
struct RelativeTime {
    private static let minute: Int64 = 60_000
    private static let hour: Int64 = 60 * minute
    static let day: Int64 = 24 * hour

    let text: String
    /// The number of milliseconds until the text changes.
    let lasts: Int64

    /// Formats an age in milliseconds; a negative age, which means a time in the future, counts as zero.
    init(age: Int64, _ texts: ClientTexts.Time) {
        let age = max(age, 0)
        let (unit, template) =
            switch age {
            case ..<Self.minute: (Self.minute, texts.now)
            case ..<Self.hour: (Self.minute, texts.minutes)
            case ..<Self.day: (Self.hour, texts.hours)
            default: (Self.day, texts.days)
            }
        text = template.filling("count", with: String(age / unit))
        lasts = unit - age % unit
    }
}

/// Converts times to days in the phone's time zone.
struct Calendar {
    /// How far the phone's time zone is ahead of UTC, in milliseconds.
    let offset: Int64

    /// Returns the number of days from 1970-01-01 to `moment`, a time in milliseconds since 1970.
    func day(of moment: Int64) -> Int64 {
        WireTimestamp.floorDivide(moment &+ offset, by: RelativeTime.day).quotient
    }

    /// Returns the number of milliseconds from `moment` until the next day begins.
    func untilMidnight(from moment: Int64) -> Int64 {
        (day(of: moment) + 1) * RelativeTime.day - (moment &+ offset)
    }

    /// Returns the heading above a day's first message.
    func name(of moment: Int64, at now: Int64, _ texts: ClientTexts.Time) -> String {
        let day = day(of: moment)
        switch self.day(of: now) - day {
        case ...0: return texts.today
        case 1: return texts.yesterday
        case 2...6:
            // 1 January 1970 was a Thursday, the fourth day of a week that begins on Monday.
            let weekdays = texts.weekdays.split(separator: " ")
            let index = Int(((day + 3) % 7 + 7) % 7)
            return index < weekdays.count ? String(weekdays[index]) : date(of: moment)
        default: return date(of: moment)
        }
    }

    private func date(of moment: Int64) -> String { String(exact(moment).prefix(10)) }

    /// Returns the date and time to the second in the phone's time zone: `2026-03-01 12:30:45`.
    func exact(_ moment: Int64) -> String {
        let text = WireTimestamp.text(moment &+ offset)
        return text.prefix(10) + " " + text.dropFirst(11).prefix(8)
    }
}
