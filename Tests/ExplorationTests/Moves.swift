import SquallCore
import Testing

@testable import Exploration

/// Returns the move that performs an action, or fails the test if there is no such action.
func move(
    _ actor: Actor,
    _ verb: String,
    _ values: [(name: String, value: ArgumentValue)] = [],
    label: String? = nil
) throws -> Move {
    try #require(Move(actor, verb, values, label: label))
}
