package import ScenarioModel

extension ScenarioRun: DrivenRun {}
