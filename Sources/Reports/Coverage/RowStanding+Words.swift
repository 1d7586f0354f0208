import ScenarioModel

extension RowStatus.Kill {
    /// Describes, for reports, the expectations that fail when a defect is planted.
    var inWords: String {
        switch self {
        case .ownLine: "an expectation that covers only this row"
        case .sharedLine: "an expectation shared with other rows"
        case .elsewhere: "another part of the scenario"
        case .nothing: "nothing"
        }
    }
}
