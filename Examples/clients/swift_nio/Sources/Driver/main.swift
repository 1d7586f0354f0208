var chat: Chat?
while let line = readLine() {
    let command = decoded(line)
    writeLine(try Adapter.answer(command, &chat).merging(["in_reply_to": command["id"] ?? 0]) { $1 })
}
