import ScenarioModel

extension RowStanding.Kill {
    /// What fails with a planted defect, for reports.
    var inWords: String {
        switch self {
        case .ownLine: "an expectation that covers only this row"
        case .sharedLine: "an expectation shared with other rows"
        case .elsewhere: "another part of the scenario"
        case .nothing: "nothing"
        }
    }
}
