extension Int {
    /// The number with a comma between groups of three digits, such as `1,380`.
    package var grouped: String {
        let digits = String(magnitude)
        let text = digits.enumerated().reduce(into: "") { text, digit in
            if digit.offset > 0, (digits.count - digit.offset) % 3 == 0 { text += "," }
            text.append(digit.element)
        }
        return self < 0 ? "-\(text)" : text
    }
}
