import ChatWire
import SquallCore

/// Test cases R.8 and following: the effects of HTTP requests on later requests.
extension ChatCatalogue {
    static func post(_ target: ChatTarget, _ id: String?, _ text: String, _ reply: RouteReply) -> ChatStep {
        var fields: [WireField: ChatValue] = [.text: .exactly(.string(text))]
        if let id { fields[.clientMessageID] = .exactly(.string(messageID(target, id))) }
        return .ask(RouteRequest(.send, target.conversation, body: .object(fields)), reply)
    }

    static func stored(_ target: ChatTarget, _ id: String, as name: String) -> RouteReply {
        RouteReply(
            [201],
            fields: [.clientMessageID: .exactly(.string(messageID(target, id))), .duplicate: .exactly(false)],
            saves: [.messageID: name, .sequence: "\(name) seq", .timestamp: "\(name) time"]
        )
    }

    private static func repeated(_ target: ChatTarget, _ id: String, of name: String) -> RouteReply {
        RouteReply(
            [200],
            fields: [
                .clientMessageID: .exactly(.string(messageID(target, id))), .duplicate: .exactly(true),
                .messageID: .saved(name), .sequence: .saved("\(name) seq"), .timestamp: .saved("\(name) time"),
            ]
        )
    }

    static func sendingOverHTTP(_ target: ChatTarget) -> [ChatCase] {
        [
            route(
                "R.8.1",
                "send twice with the same id.",
                "201, then 200 as a duplicate with the first one's id, seq and timestamp.",
                "rule 5",
                [
                    post(target, "R.8.1", "hello", stored(target, "R.8.1", as: "first")),
                    post(target, "R.8.1", "hello", repeated(target, "R.8.1", of: "first")),
                ]
            ),
            route(
                "R.8.2",
                "send on the WebSocket, then over HTTP with the same id.",
                "200 as a duplicate: the id applies to both transports.",
                "rule 5",
                login(target) + [
                    send(target, "R.8.2", "hello"),
                    .expect(
                        ChatPattern(
                            .confirm,
                            saves: [.messageID: "first", .sequence: "first seq", .timestamp: "first time"]
                        )
                    ),
                    post(target, "R.8.2", "hello", repeated(target, "R.8.2", of: "first")),
                ]
            ),
            route(
                "R.8.3",
                "send over HTTP, then on the WebSocket with the same id.",
                "The server confirms it as a duplicate.",
                "rule 5",
                [post(target, "R.8.3", "hello", stored(target, "R.8.3", as: "first"))] + login(target) + [
                    send(target, "R.8.3", "hello"),
                    .expect(ChatPattern(.confirm, [.duplicate: .exactly(true), .messageID: .saved("first")])),
                ] + stillOpen
            ),
            route(
                "R.8.4",
                "send with the id of one message and the text of another.",
                "409 with an error.",
                "statuses",
                [
                    post(target, "R.8.4", "hello", stored(target, "R.8.4", as: "first")),
                    post(target, "R.8.4", "something else", RouteReply([409])),
                ]
            ),
            route(
                "R.8.5",
                "Two sends without an id.",
                "Two messages are stored, the second with a higher seq.",
                "rule 5",
                [
                    post(target, nil, "hello", RouteReply([201], saves: [.messageID: "first", .sequence: "seq"])),
                    post(
                        target,
                        nil,
                        "hello",
                        RouteReply([201], fields: [.messageID: .other("first"), .sequence: .above("seq")])
                    ),
                ]
            ),
            route(
                "R.8.6",
                "send of seven megabytes.",
                "413 with the error too_large; a server without such a limit stores it.",
                "statuses",
                [.ask(RouteRequest(.send, target.conversation, body: .long(7_000_000)), RouteReply([201, 413]))]
            ),
            route(
                "R.8.7",
                "send to a conversation that does not exist.",
                "404 or 403; a server may also create it.",
                "statuses",
                isInformational: true,
                [
                    .ask(
                        RouteRequest(.send, target.missingConversation, body: .object([.text: .exactly("anybody?")])),
                        RouteReply([201, 403, 404])
                    )
                ]
            ),
        ]
    }

    /// Returns the R.10 cases (unread counts).
    static func reading(_ target: ChatTarget) -> [ChatCase] {
        let conversation = ChatValue.exactly(.string(target.conversation))
        let read = RouteReply([200], fields: [.conversationID: conversation, .unread: .exactly(0)])
        let none = RouteReply.Listing(
            .conversations,
            excluding: [[.conversationID: conversation, .unread: .above("none")]]
        )
        // Saves, for comparison, the unread count directly after the conversation has been marked as read.
        let zero = RouteReply([200], fields: [.unread: .exactly(0)], saves: [.unread: "none"])
        let markRead = RouteRequest(.markRead, target.conversation)
        let another = RouteRequest.QueryField(field: .userID, value: .exactly("squall-another"))
        let forged = RouteRequest(.markRead, target.conversation, query: [another])
        let through = RouteRequest.QueryField(field: .lastSequenceSeen, value: .saved("a seq"))
        let partly = RouteRequest(.markRead, target.conversation, query: [through])
        let one = RouteReply([200], fields: [.conversationID: conversation, .unread: .exactly(1)])
        func posted(_ name: String, _ saved: String) -> ChatStep {
            let body: [WireField: ChatValue] = [
                .text: .exactly("hello"), .clientMessageID: .exactly(.string(messageID(target, name))),
            ]
            let request = RouteRequest(.send, target.conversation, key: .other, body: .object(body))
            return .ask(request, stored(target, name, as: saved))
        }
        return [
            route(
                "R.10.1",
                "send, then mark_read.",
                "The unread count is zero.",
                "route mark_read",
                [post(target, "R.10.1", "hello", stored(target, "R.10.1", as: "a")), .ask(markRead, read)]
            ),
            route(
                "R.10.2",
                "mark_read, then unread.",
                "The conversation has no unread messages.",
                "route unread",
                [.ask(markRead, zero), .ask(RouteRequest(.unread), RouteReply([200], listing: none))]
            ),
            route(
                "R.10.3",
                "mark_read twice.",
                "The second has no effect.",
                "route mark_read",
                [.ask(markRead, read), .ask(markRead, read)]
            ),
            route(
                "R.10.4",
                "mark_read, then a message of the user's own.",
                "The message is not unread: the user's own do not count.",
                "route unread",
                [.ask(markRead, zero), post(target, "R.10.4", "hello", stored(target, "R.10.4", as: "a"))]
                    + [.ask(RouteRequest(.unread), RouteReply([200], listing: none))]
            ),
            route(
                "R.10.5",
                "mark_read of a conversation that does not exist.",
                "404 or 403, or an unread count of zero.",
                "statuses",
                isInformational: true,
                [.ask(RouteRequest(.markRead, target.missingConversation), RouteReply([200, 403, 404]))]
            ),
            route(
                "R.10.6",
                "mark_read for another user.",
                "403 with an error: a user reads only for itself.",
                "route mark_read",
                [.ask(forged, RouteReply([403]))]
            ),
            route(
                "R.10.7",
                "read_receipt that names another user as the reader.",
                "The message stays unread for that user: a receipt counts for the user who sends it.",
                "read_receipt",
                needs: [.otherUser],
                forgedReceipt(target)
            ),
            route(
                "R.10.8",
                "Two messages of another user, then mark_read with the last_seq_seen of the first.",
                "The second stays unread; mark_read without last_seq_seen then covers it.",
                "route mark_read",
                needs: [.otherUser],
                [
                    .ask(markRead, read), posted("R.10.8a", "a"), posted("R.10.8b", "b"), .ask(partly, one),
                    .ask(markRead, read),
                ]
            ),
        ]
    }

    /// Returns steps in which the first user sends a read receipt that claims to be from the case's second user.
    ///
    /// Beforehand, the second user reads everything and sends a message, from which the first user learns the second
    /// user's name on this server.
    private static func forgedReceipt(_ target: ChatTarget) -> [ChatStep] {
        let conversation = ChatValue.exactly(.string(target.conversation))
        let own: [WireField: ChatValue] = [
            .text: .exactly("hello"), .clientMessageID: .exactly(.string(messageID(target, "R.10.7b"))),
        ]
        let learned = RouteReply.Listing(.messages, including: [[.messageID: .saved("b")]], saves: [.senderID: "them"])
        let unread = RouteReply.Listing(
            .conversations,
            including: [[.conversationID: conversation, .unread: .above("none")]]
        )
        let before: [ChatStep] = [
            .ask(
                RouteRequest(.markRead, target.conversation, key: .other),
                RouteReply([200], fields: [.unread: .exactly(0)], saves: [.unread: "none"])
            ),
            .ask(
                RouteRequest(.send, target.conversation, key: .other, body: .object(own)),
                stored(target, "R.10.7b", as: "b")
            ),
            .ask(RouteRequest(.messages, target.conversation), RouteReply([200], listing: learned)),
            post(target, "R.10.7", "hello", stored(target, "R.10.7", as: "a")),
        ]
        let forged: [WireField: ChatValue] = [
            .conversationID: conversation, .messageID: .saved("a"), .readerID: .saved("them"), .userID: .saved("them"),
        ]
        // The reply to the ping shows that the server has already handled the receipt.
        let answers = [ChatPattern(.pong, [.id: .exactly("so far")]), ChatPattern(.error)]
        let attempt: [ChatStep] = [
            .say(.readReceipt, forged), .say(.ping, [.id: .exactly("so far")]),
            .expectAny(answers, orClose: 1008),
            .ask(RouteRequest(.unread, key: .other), RouteReply([200], listing: unread)),
        ]
        return before + login(target) + attempt
    }

    /// Returns the R.11 cases (uploads and push tokens).
    static func uploads(_ target: ChatTarget) -> [ChatCase] {
        func upload(_ name: String, _ bytes: Int, _ reply: RouteReply) -> ChatStep {
            .ask(RouteRequest(.upload, messageID(target, name), body: .filler(bytes)), reply)
        }
        func image(_ conversation: String, _ reply: RouteReply) -> ChatStep {
            let name = MediaName(conversation: conversation, message: messageID(target, "R.11"), file: "photo.jpg")
            return .ask(RouteRequest(.upload, name.text, body: .filler(64)), reply)
        }
        let token = RouteRequest(.pushToken, body: .object([.pushToken: .exactly("squall-device")]))
        return [
            route(
                "R.11.1",
                "upload twice under the same name.",
                "201, then 200 because it had been stored before.",
                "statuses",
                [upload("R.11.1", 64, RouteReply([201])), upload("R.11.1", 64, RouteReply([200]))]
            ),
            route(
                "R.11.2",
                "upload under a name with a slash, a space and a percent sign, percent-encoded.",
                "201: the name is one path segment.",
                "route upload",
                [upload("R.11.2 a/b%2F.txt", 64, RouteReply([201]))]
            ),
            route(
                "R.11.3",
                "upload of seven megabytes.",
                "413 with an error; a server without such a limit stores it.",
                "statuses",
                [upload("R.11.3", 7_000_000, RouteReply([200, 201, 413]))]
            ),
            route(
                "R.11.4",
                "push_token, then push_token without a token.",
                "200 both times; the second removes the registration.",
                "route push_token",
                [.ask(token, RouteReply([200])), .ask(RouteRequest(.pushToken, body: .object([:])), RouteReply([200]))]
            ),
            route(
                "R.11.5",
                "upload of a message's image to the user's own conversation.",
                "201.",
                "route upload",
                [image(target.conversation, RouteReply([201]))]
            ),
            route(
                "R.11.6",
                "upload of a message's image to a conversation of which the user is not a member, twice.",
                "403 with the error not_member, both times.",
                "route upload",
                needs: [.foreignConversation],
                [
                    image(target.foreignConversation ?? "", RouteReply([403], code: .notMember)),
                    image(target.foreignConversation ?? "", RouteReply([403], code: .notMember)),
                ]
            ),
        ]
    }
}
