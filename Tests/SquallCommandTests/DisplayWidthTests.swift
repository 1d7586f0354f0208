import Testing

@testable import SquallCommand

@Suite struct DisplayWidthTests {
    @Test(
        "A character occupies the columns that a terminal gives it",
        arguments: [
            ("a", 1), ("ß", 1), ("é", 1), ("e\u{301}", 1), ("\u{301}", 0), ("\u{200D}", 0), ("漢", 2), ("가", 2),
            ("あ", 2), ("Ａ", 2), ("ｱ", 1), ("😀", 2), ("→", 1), ("\u{FFFD}", 1), ("\t", 1), ("𠀀", 2),
        ]
    )
    func columns(_ text: String, _ columns: Int) {
        #expect(DisplayWidth.columns(of: Character(text)) == columns)
    }

    @Test("The cursor after wide characters is at their columns, not at their number")
    func cursor() {
        let (shown, column) = DisplayWidth.window(of: Array("漢字ab"), cursor: 3, room: 10)
        #expect(String(shown) == "漢字ab")
        #expect(column == 5)
    }

    @Test("The visible part of a long line fits into the room and contains the cursor")
    func longLine() {
        let end = DisplayWidth.window(of: Array("ab漢字漢字"), cursor: 6, room: 5)
        #expect(String(end.shown) == "漢字")
        #expect(end.column == 4)
        let middle = DisplayWidth.window(of: Array("漢字漢字"), cursor: 1, room: 5)
        #expect(String(middle.shown) == "漢字")
        #expect(middle.column == 2)
        let plain = DisplayWidth.window(of: Array("abcdef"), cursor: 6, room: 4)
        #expect(String(plain.shown) == "cdef")
        #expect(plain.column == 4)
        #expect(DisplayWidth.window(of: [], cursor: 0, room: 4).shown.isEmpty)
    }
}
