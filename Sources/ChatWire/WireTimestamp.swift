/// Conversion between milliseconds since 1970 and ISO 8601 strings (RFC 3339), in the proleptic Gregorian calendar.
package enum WireTimestamp {
    /// The range of times with a four-digit year: 0000-01-01T00:00:00.000Z to 9999-12-31T23:59:59.999Z.
    package static let range: ClosedRange<Int64> = -62_167_219_200_000...253_402_300_799_999

    /// Returns the timestamp as a string of 24 characters. A time outside ``range`` is clamped to it.
    package static func text(_ milliseconds: Int64) -> String {
        String(decoding: bytes(milliseconds), as: UTF8.self)
    }

    static func bytes(_ milliseconds: Int64) -> [UInt8] {
        let moment = min(max(milliseconds, range.lowerBound), range.upperBound)
        let (days, inDay) = floorDivide(moment, by: 86_400_000)
        let date = civilDate(daysSince1970: days)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(24)
        append(date.year, digits: 4, to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        append(date.month, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        append(date.day, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: "T"))
        append(inDay / 3_600_000, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        append(inDay / 60_000 % 60, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        append(inDay / 1_000 % 60, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: "."))
        append(inDay % 1_000, digits: 3, to: &bytes)
        bytes.append(UInt8(ascii: "Z"))
        return bytes
    }

    /// Parses an RFC 3339 timestamp with `Z` or an offset, and any number of fraction digits, which are truncated to
    /// milliseconds.
    ///
    /// Returns nil for any other string, a nonexistent day or hour, a leap second (which has no representation in
    /// milliseconds since 1970), and a time outside ``range``.
    package static func milliseconds(_ text: String) -> Int64? {
        var scanner = Scanner(text.utf8)
        guard let year = scanner.digits(4), scanner.take("-"),
            let month = scanner.digits(2), scanner.take("-"),
            let day = scanner.digits(2), scanner.take("T") || scanner.take("t"),
            let hour = scanner.digits(2), scanner.take(":"),
            let minute = scanner.digits(2), scanner.take(":"),
            let second = scanner.digits(2),
            let fraction = scanner.fraction(),
            let offset = scanner.offset(),
            scanner.isAtEnd,
            (1...12).contains(month), day >= 1, day <= length(of: month, in: year),
            hour < 24, minute < 60, second < 60
        else { return nil }
        let days = daysSince1970(year: year, month: month, day: day)
        let moment = days * 86_400_000 + (hour * 60 + minute - offset) * 60_000 + second * 1_000 + fraction
        return range.contains(moment) ? moment : nil
    }

    private static func append(_ number: Int64, digits: Int, to bytes: inout [UInt8]) {
        var unit: Int64 = 1
        for _ in 1..<digits { unit *= 10 }
        while unit > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / unit % 10))
            unit /= 10
        }
    }
}

// MARK: - Calendar

extension WireTimestamp {
    private static func isLeap(_ year: Int64) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    private static func length(of month: Int64, in year: Int64) -> Int64 {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Returns the quotient rounded towards negative infinity, and the non-negative remainder.
    package static func floorDivide(_ number: Int64, by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }

    /// Returns the number of days since 1970-01-01.
    ///
    /// Years are counted from March, so that the leap day is the last day of the year; 400 years have 146 097 days.
    private static func daysSince1970(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shifted = month > 2 ? year : year - 1
        let (era, yearOfEra) = floorDivide(shifted, by: 400)
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    private static func civilDate(daysSince1970 days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = floorDivide(days + 719_468, by: 146_097)
        // Subtracts the leap days of the preceding years so that dividing by 365 yields the year.
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, day)
    }
}

// MARK: - Parsing

extension WireTimestamp {
    private struct Scanner {
        private let bytes: String.UTF8View
        private var place: String.Index

        init(_ bytes: String.UTF8View) {
            self.bytes = bytes
            place = bytes.startIndex
        }

        var isAtEnd: Bool { place == bytes.endIndex }

        mutating func take(_ character: Unicode.Scalar) -> Bool {
            guard !isAtEnd, bytes[place] == UInt8(ascii: character) else { return false }
            place = bytes.index(after: place)
            return true
        }

        /// Parses a number of exactly `count` digits; returns nil if there are fewer.
        mutating func digits(_ count: Int) -> Int64? {
            var number: Int64 = 0
            for _ in 0..<count {
                guard let digit = nextDigit() else { return nil }
                number = number * 10 + digit
            }
            return number
        }

        /// Parses a fraction and returns it in milliseconds; 0 if there is none, nil if it has no digits.
        mutating func fraction() -> Int64? {
            guard take(".") else { return 0 }
            guard var number = nextDigit() else { return nil }
            var count = 1
            while let digit = nextDigit() {
                if count < 3 { number = number * 10 + digit }
                count += 1
            }
            while count < 3 {
                number *= 10
                count += 1
            }
            return number
        }

        /// Parses a UTC offset and returns it in minutes; nil if it is invalid.
        mutating func offset() -> Int64? {
            if take("Z") || take("z") { return 0 }
            let sign: Int64 = take("+") ? 1 : -1
            guard sign == 1 || take("-"), let hours = digits(2), take(":"), let minutes = digits(2),
                hours < 24, minutes < 60
            else { return nil }
            return sign * (hours * 60 + minutes)
        }

        private mutating func nextDigit() -> Int64? {
            guard !isAtEnd, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[place]) else { return nil }
            let digit = Int64(bytes[place] - UInt8(ascii: "0"))
            place = bytes.index(after: place)
            return digit
        }
    }
}
