import ChatWire
import SquallCore

/// Test cases for the pages of a conversation and for the list of conversations.
extension ChatCatalogue {
    /// Returns the R.9 cases (the content of pages, and invalid page requests).
    static func pages(_ target: ChatTarget) -> [ChatCase] {
        func two(_ id: String) -> [ChatStep] {
            [
                post(target, "\(id)a", "first", stored(target, "\(id)a", as: "a")),
                post(target, "\(id)b", "second", stored(target, "\(id)b", as: "b")),
            ]
        }
        func page(_ query: [RouteRequest.QueryField], _ reply: RouteReply) -> ChatStep {
            .ask(RouteRequest(.messages, target.conversation, query: query), reply)
        }
        func field(_ field: WireField, _ value: ChatValue) -> RouteRequest.QueryField {
            RouteRequest.QueryField(field: field, value: value)
        }
        func messages(
            including: [String] = [],
            excluding: [String] = [],
            most: Int? = nil
        ) -> RouteReply.Listing {
            RouteReply.Listing(
                .messages,
                including: including.map { [.messageID: .saved($0)] },
                excluding: excluding.map { [.messageID: .saved($0)] },
                most: most
            )
        }
        let unread = RouteReply([400, 404])
        return [
            route(
                "R.9.1",
                "Two sends, then the newest page.",
                "The page contains both, by ascending seq.",
                "rule 7",
                two("R.9.1") + [
                    page([], RouteReply([200], listing: messages(including: ["a", "b"])))
                ]
            ),
            route(
                "R.9.2",
                "Two sends, then a page of one.",
                "The page contains one message, not the older one, and has_more is true.",
                "route messages",
                two("R.9.2") + [
                    page(
                        [field(.limit, .exactly(1))],
                        RouteReply(
                            [200],
                            fields: [.hasMore: .exactly(true)],
                            listing: messages(excluding: ["a"], most: 1)
                        )
                    )
                ]
            ),
            route(
                "R.9.3",
                "Two sends, then the page before the second.",
                "The page contains the first and not the second.",
                "route messages",
                two("R.9.3") + [
                    page(
                        [field(.before, .saved("b"))],
                        RouteReply([200], listing: messages(including: ["a"], excluding: ["b"]))
                    )
                ]
            ),
            route(
                "R.9.4",
                "Two sends, then the page after the first's seq.",
                "The page contains the second and not the first.",
                "route messages",
                two("R.9.4") + [
                    page(
                        [field(.after, .saved("a seq"))],
                        RouteReply([200], listing: messages(including: ["b"], excluding: ["a"]))
                    )
                ]
            ),
            route(
                "R.9.5",
                "A page before a message that never existed.",
                "404: there is no such message.",
                "statuses",
                [page([field(.before, .exactly("squall never"))], RouteReply([404]))]
            ),
            route(
                "R.9.6",
                "A page with limit 0.",
                "404 or 400: limit is at least 1.",
                "route messages",
                [page([field(.limit, .exactly(0))], unread)]
            ),
            route(
                "R.9.7",
                "A limit that is not a number.",
                "404 or 400.",
                "route messages",
                [page([field(.limit, .exactly("many"))], unread)]
            ),
            route(
                "R.9.8",
                "A page after an invalid seq.",
                "404 or 400.",
                "route messages",
                [page([field(.after, .exactly("-1"))], unread)]
            ),
            route(
                "R.9.9",
                "A query field that the route does not have.",
                "The field is ignored.",
                "rule 4",
                [page([field(.name, .exactly("squall"))], RouteReply([200]))]
            ),
            route(
                "R.9.10",
                "A page of a conversation that does not exist.",
                "404 or 403, or an empty page.",
                "statuses",
                isInformational: true,
                [.ask(RouteRequest(.messages, target.missingConversation), RouteReply([200, 403, 404]))]
            ),
            route(
                "R.9.11",
                "send, then the list of conversations.",
                "The list contains the conversation.",
                "route conversations",
                [post(target, "R.9.11", "hello", stored(target, "R.9.11", as: "a"))] + [
                    .ask(
                        RouteRequest(.conversations),
                        RouteReply(
                            [200],
                            listing: RouteReply.Listing(
                                .conversations,
                                including: [[.conversationID: .exactly(.string(target.conversation))]]
                            )
                        )
                    )
                ]
            ),
        ]
    }
}
