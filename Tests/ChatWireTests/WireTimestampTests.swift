import ChatWire
import Testing

@Suite struct WireTimestampTests {
    @Test(
        "A timestamp survives formatting and parsing",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"),
            (-1, "1969-12-31T23:59:59.999Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (1_709_164_800_001, "2024-02-29T00:00:00.001Z"),
            (4_107_542_399_999, "2100-02-28T23:59:59.999Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
            (-2_203_891_200_000, "1900-03-01T00:00:00.000Z"),
            (1_772_368_245_250, "2026-03-01T12:30:45.250Z"),
            (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
            (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"),
        ]
    )
    func bothWays(_ moment: Int64, _ text: String) {
        #expect(WireTimestamp.text(moment) == text)
        #expect(WireTimestamp.milliseconds(text) == moment)
    }

    /// Counts the days month by month, so as not to rely on the arithmetic under test.
    @Test("Every day from 1896 to 2104 is formatted and parsed correctly") func everyDayOfTwoCenturies() {
        var day: Int64 = -27_028
        for year in 1896...2104 {
            let leap = year % 400 == 0 || year % 4 == 0 && year % 100 != 0
            for (month, length) in [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31].enumerated() {
                for date in 1...length {
                    let text = WireTimestamp.text(day * 86_400_000 + 86_399_999)
                    let expected = "\(year)-\(padded(month + 1))-\(padded(date))T23:59:59.999Z"
                    guard text == expected, WireTimestamp.milliseconds(text) == day * 86_400_000 + 86_399_999 else {
                        Issue.record("day \(day) is \(expected), not \(text)")
                        return
                    }
                    day += 1
                }
            }
        }
        #expect(day == 49_308)
    }

    private func padded(_ number: Int) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }

    @Test(
        "RFC 3339 timestamps with other fractions, offsets and lower-case letters are parsed",
        arguments: [
            ("2026-03-01T12:30:45Z", 1_772_368_245_000),
            ("2026-03-01T12:30:45.1Z", 1_772_368_245_100),
            ("2026-03-01T12:30:45.123456789Z", 1_772_368_245_123),
            ("2026-03-01T12:30:45.9999999999999999999999999Z", 1_772_368_245_999),
            ("2026-03-01T12:30:45.250+00:00", 1_772_368_245_250),
            ("2026-03-01T14:00:45.250+01:30", 1_772_368_245_250),
            ("2026-02-28T20:30:45.250-16:00", 1_772_368_245_250),
            ("2026-03-01t12:30:45.250z", 1_772_368_245_250),
        ]
    )
    func otherFormsOfRFC3339(_ text: String, _ moment: Int64) {
        #expect(WireTimestamp.milliseconds(text) == moment)
    }

    @Test(
        "A timestamp that RFC 3339 does not allow is refused",
        arguments: [
            "", "Z", "2026", "2026-03-01", "2026-03-01T12:30Z", "2026-03-01T12:30:45", "2026-03-01 12:30:45Z",
            "2026-03-01T12:30:45.Z", "2026-03-01T12:30:45,5Z", "2026-3-1T12:30:45Z", "+2026-03-01T12:30:45Z",
            "2026-00-01T00:00:00Z", "2026-13-01T00:00:00Z", "2026-01-00T00:00:00Z", "2026-01-32T00:00:00Z",
            "2026-04-31T00:00:00Z", "2026-02-29T00:00:00Z", "2100-02-29T00:00:00Z", "1900-02-29T00:00:00Z",
            "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z", "2016-12-31T23:59:60Z", "2026-01-01T00:00:00+24:00",
            "2026-01-01T00:00:00+01:60", "2026-01-01T00:00:00+0100", "2026-01-01T00:00:00-", "2026-01-01T00:00:00ZZ",
            " 2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z\n", "٢٠٢٦-01-01T00:00:00Z", "10000-01-01T00:00:00Z",
            "0000-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01", "-001-01-01T00:00:00Z",
        ]
    )
    func refused(_ text: String) {
        #expect(WireTimestamp.milliseconds(text) == nil)
    }

    @Test("A time outside the years 0 to 9999 is formatted as the nearest one inside") func beyondTheEnds() {
        #expect(WireTimestamp.text(.max) == "9999-12-31T23:59:59.999Z")
        #expect(WireTimestamp.text(.min) == "0000-01-01T00:00:00.000Z")
    }
}
