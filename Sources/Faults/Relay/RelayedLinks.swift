import SquallCore

/// All links that have not ended, in the order in which they were accepted.
struct RelayedLinks: Sendable {
    private var links: [RelayedLink] = []
    private var places: [LinkID: Int] = [:]

    var indices: Range<Int> { links.indices }

    subscript(place: Int) -> RelayedLink {
        _read { yield links[place] }
        _modify { yield &links[place] }
    }

    func place(of id: LinkID) -> Int? {
        places[id]
    }

    mutating func append(_ link: RelayedLink) -> Int {
        assert(places[link.id] == nil, "a link is accepted once")
        places[link.id] = links.count
        links.append(link)
        return links.count - 1
    }

    mutating func removeIfOver(_ place: Int) {
        guard links[place].isOver else { return }
        places[links.remove(at: place).id] = nil
        for later in place..<links.count { places[links[later].id] = later }
    }

    mutating func removeOver() {
        for place in links.indices.reversed() { removeIfOver(place) }
    }
}
