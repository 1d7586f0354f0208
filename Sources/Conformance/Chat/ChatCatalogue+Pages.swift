import ChatWire
import SquallCore

/// Pages of a conversation, and the list of conversations.
extension ChatCatalogue {
    /// R.9: what a page holds, and which cannot be had.
    static func pages(_ target: ChatTarget) -> [ChatCase] {
        func two(_ id: String) -> [ChatStep] {
            [
                post(target, "\(id)a", "first", stored(target, "\(id)a", as: "a")),
                post(target, "\(id)b", "second", stored(target, "\(id)b", as: "b")),
            ]
        }
        func page(_ query: [RouteAsk.QueryField], _ reply: RouteReply) -> ChatStep {
            .ask(RouteAsk(.messages, target.conversation, query: query), reply)
        }
        func field(_ field: WireField, _ value: ChatValue) -> RouteAsk.QueryField {
            RouteAsk.QueryField(field: field, value: value)
        }
        func messages(holding: [String] = [], lacking: [String] = [], most: Int? = nil) -> RouteReply.Listing {
            RouteReply.Listing(
                .messages,
                holding: holding.map { [.messageID: .kept($0)] },
                lacking: lacking.map { [.messageID: .kept($0)] },
                most: most
            )
        }
        let unread = RouteReply([400, 404])
        return [
            route(
                "R.9.1",
                "Two sends, then the newest page.",
                "A page that holds both, by ascending seq.",
                "rule 7",
                two("R.9.1") + [page([], RouteReply([200], listing: messages(holding: ["a", "b"])))]
            ),
            route(
                "R.9.2",
                "Two sends, then a page of one.",
                "One message, not the older one, and has_more.",
                "route messages",
                two("R.9.2") + [
                    page(
                        [field(.limit, .exactly(1))],
                        RouteReply(
                            [200],
                            fields: [.hasMore: .exactly(true)],
                            listing: messages(lacking: ["a"], most: 1)
                        )
                    )
                ]
            ),
            route(
                "R.9.3",
                "Two sends, then the page before the second.",
                "A page that holds the first, and not the second.",
                "route messages",
                two("R.9.3") + [
                    page(
                        [field(.before, .kept("b"))],
                        RouteReply([200], listing: messages(holding: ["a"], lacking: ["b"]))
                    )
                ]
            ),
            route(
                "R.9.4",
                "Two sends, then the page after the first's seq.",
                "A page that holds the second, and not the first.",
                "route messages",
                two("R.9.4") + [
                    page(
                        [field(.after, .kept("a seq"))],
                        RouteReply([200], listing: messages(holding: ["b"], lacking: ["a"]))
                    )
                ]
            ),
            route(
                "R.9.5",
                "A page before a message that there never was.",
                "404: there is no such message.",
                "statuses",
                [page([field(.before, .exactly("squall never"))], RouteReply([404]))]
            ),
            route(
                "R.9.6",
                "A page of none.",
                "404 or 400: limit is at least 1.",
                "route messages",
                [page([field(.limit, .exactly(0))], unread)]
            ),
            route(
                "R.9.7",
                "A limit that is no number.",
                "404 or 400.",
                "route messages",
                [page([field(.limit, .exactly("many"))], unread)]
            ),
            route(
                "R.9.8",
                "A page after a seq that is no number.",
                "404 or 400.",
                "route messages",
                [page([field(.after, .exactly("-1"))], unread)]
            ),
            route(
                "R.9.9",
                "A query field that the route has not.",
                "It is ignored.",
                "rule 4",
                [page([field(.name, .exactly("squall"))], RouteReply([200]))]
            ),
            route(
                "R.9.10",
                "The page of a conversation that there is none of.",
                "404 or 403, or an empty page.",
                "statuses",
                isInformational: true,
                [.ask(RouteAsk(.messages, target.nowhere), RouteReply([200, 403, 404]))]
            ),
            route(
                "R.9.11",
                "send, then the list of conversations.",
                "The conversation is in it.",
                "route conversations",
                [post(target, "R.9.11", "hello", stored(target, "R.9.11", as: "a"))] + [
                    .ask(
                        RouteAsk(.conversations),
                        RouteReply(
                            [200],
                            listing: RouteReply.Listing(
                                .conversations,
                                holding: [[.conversationID: .exactly(.string(target.conversation))]]
                            )
                        )
                    )
                ]
            ),
        ]
    }
}
