extension String {
    /// The first 60 characters of the text, for messages.
    var shortened: String {
        count > 60 ? "\(prefix(60))…" : self
    }

    /// The sentence as a phrase to follow a colon or a dash: `how long it lasts`.
    var asPhrase: String {
        var text = self[...]
        if text.hasSuffix("."), !text.dropLast().contains(". ") { text = text.dropLast() }
        let second = text.dropFirst().first
        guard let first = text.first, second?.isUppercase != true else { return String(text) }
        return first.lowercased() + text.dropFirst()
    }

    /// The text as a complete sentence: `How long it lasts.`.
    var asSentence: String {
        guard let first else { return self }
        let text = first.uppercased() + dropFirst()
        return text.hasSuffix(".") ? text : "\(text)."
    }
}
