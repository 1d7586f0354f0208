import SquallCore

/// All links that have not ended yet, in the order in which they were accepted.
struct RelayedLinks: Sendable {
    private var links: [RelayedLink] = []
    private var places: [LinkID: Int] = [:]

    var indices: Range<Int> { links.indices }

    subscript(index: Int) -> RelayedLink {
        _read { yield links[index] }
        _modify { yield &links[index] }
    }

    func index(of id: LinkID) -> Int? {
        places[id]
    }

    mutating func append(_ link: RelayedLink) -> Int {
        assert(places[link.id] == nil, "a link is accepted once")
        places[link.id] = links.count
        links.append(link)
        return links.count - 1
    }

    mutating func removeIfOver(_ index: Int) {
        guard links[index].isOver else { return }
        places[links.remove(at: index).id] = nil
        for later in index..<links.count { places[links[later].id] = later }
    }

    mutating func removeOver() {
        for index in links.indices.reversed() { removeIfOver(index) }
    }
}
