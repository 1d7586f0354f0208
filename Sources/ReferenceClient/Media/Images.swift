import ChatWire
import SquallCore

/// Owns the images in messages: fetches those in visible rows, and limits the size of the cache.
struct Images {
    /// An image in a visible row, or in a row close to a visible one.
    struct Position {
        let message: String
        let url: String
    }

    private enum Picture {
        case loading
        case here(Int64)
        case failed
    }

    private let rules: Rules
    private var pictures: [String: Picture] = [:]
    /// The URLs of the cached images, least recently visible first.
    private var order: [String] = []
    private(set) var bytes: Int64 = 0
    /// The keys of the messages that display an image, by the image's URL.
    private var messagesByURL: [String: [String]] = [:]
    private var known: Set<String> = []
    /// The keys of the messages whose image was sent by the user and is therefore already on the phone.
    private var own: Set<String> = []
    /// The messages whose images have changed state since the last call to ``takeChanged()``, with their new states.
    private var changed: [(message: String, state: ImageState?)] = []
    /// Whether any image has ever been displayed.
    var wasUsed: Bool { !known.isEmpty }

    init(_ rules: Rules) {
        self.rules = rules
    }

    /// Marks a message's image as displayed immediately, because it is the user's own.
    mutating func has(own message: String, _ step: inout Step) {
        guard known.insert(message).inserted else { return }
        own.insert(message)
        changed.append((message, .shown))
        step.changes.insert(.media)
    }

    /// Returns whether the message's image has ever been reported.
    func isKnown(_ message: String) -> Bool { known.contains(message) }

    /// Returns the state of the message's image; `url` is the image's URL, or nil if the message has none.
    func state(of message: String, at url: String?) -> ImageState? {
        own.contains(message) ? .shown : url.flatMap { state(of: $0) }
    }

    private mutating func follow(_ message: String, _ url: String, _ step: inout Step) {
        guard known.insert(message).inserted else { return }
        messagesByURL[url, default: []].append(message)
        changed.append((message, state(of: url)))
        step.changes.insert(.media)
    }

    private mutating func set(_ url: String, _ picture: Picture?, _ step: inout Step) {
        pictures[url] = picture
        let state = state(of: url)
        for message in messagesByURL[url] ?? [] { changed.append((message, state)) }
        step.changes.insert(.media)
    }

    mutating func takeChanged() -> [(message: String, state: ImageState?)] {
        defer { changed = [] }
        return changed
    }

    /// Fetches the visible images that are not cached, and evicts other images if the cache exceeds its limit.
    mutating func showImages(_ sight: [Position], isConnected: Bool, _ step: inout Step) {
        for image in sight where !own.contains(image.message) {
            follow(image.message, image.url, &step)
            if let index = order.firstIndex(of: image.url) { order.append(order.remove(at: index)) }
            guard pictures[image.url] == nil, isConnected else { continue }
            guard let route = ChatRoute.parse(method: "GET", target: image.url, rules.wire), route.isPicture else {
                set(image.url, .failed, &step)
                continue
            }
            set(image.url, .loading, &step)
            step.emit(.ask(.image(url: image.url, route)))
        }
        evict(keeping: sight, &step)
    }

    mutating func arrived(_ url: String, bytes count: Int64, _ step: inout Step) {
        guard case .loading? = pictures[url] else { return }
        order.append(url)
        bytes += count
        guard rules.policy.media.arrival != .isUnnoticed else { return pictures[url] = .here(count) }
        set(url, .here(count), &step)
    }

    mutating func failed(_ url: String, _ step: inout Step) {
        set(url, .failed, &step)
    }

    /// Forgets failed images after a reconnect, so that they are fetched again.
    mutating func connected() {
        for (url, picture) in pictures {
            if case .failed = picture { pictures[url] = nil }
        }
    }

    /// Evicts the least recently visible images while the cache exceeds its limit; visible images are never evicted.
    private mutating func evict(keeping sight: [Position], _ step: inout Step) {
        guard rules.policy.media.cache == .isBounded, bytes > rules.profile.images.cache else { return }
        for url in order where bytes > rules.profile.images.cache {
            guard !sight.contains(where: { $0.url == url }), case .here(let count)? = pictures[url] else { continue }
            order.removeAll { $0 == url }
            bytes -= count
            set(url, nil, &step)
        }
    }

    private func state(of url: String) -> ImageState? {
        switch pictures[url] {
        case .loading?: .loading
        case .here?: .shown
        case .failed?: .failed
        case nil: nil
        }
    }
}

extension ChatRoute {
    fileprivate var isPicture: Bool { kind == .media || kind == .thumbnail }
}

extension MessageMedia {
    /// The URL of the image that a message's bubble displays; nil for other content.
    var pictureURL: String? { type == MessageMedia.image ? thumbnailURL ?? url : nil }

    /// Returns the size of the image's bubble in points: the largest within the profile's limits that keeps the image's
    /// aspect ratio.
    ///
    /// Returns nil if the size of the image is unknown.
    func box(_ room: ClientProfile.Images) -> (width: Int64, height: Int64)? {
        guard let metadata, metadata.width > 0, metadata.height > 0 else { return nil }
        let (width, height) = (metadata.width, metadata.height)
        let (tooHigh, overflows) = height.multipliedReportingOverflow(by: room.width)
        guard !overflows, width <= Int64.max / max(room.height, 1) else { return nil }
        if tooHigh <= room.height * width { return (room.width, max(tooHigh / width, 1)) }
        return (max(width * room.height / height, 1), room.height)
    }
}
