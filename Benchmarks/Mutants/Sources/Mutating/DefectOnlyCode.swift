import SwiftOperators
import SwiftSyntax

/// Finds the code that runs only with a planted defect, and the conditions that never change a decision without one.
///
/// A mutant in such code changes nothing for the client without defects, so it is not drawn.
final class DefectOnlyCode: SyntaxVisitor {
    private let defaults: PolicyDefaults
    private var ranges: [Range<AbsolutePosition>] = []
    /// The operands of `&&` (and elements of a list of conditions) that are always true, and those of `||` that are
    /// always false. Leaving one out changes nothing.
    private var neutral: Set<SyntaxIdentifier> = []

    init(in file: SourceFileSyntax, _ defaults: PolicyDefaults) {
        self.defaults = defaults
        super.init(viewMode: .sourceAccurate)
        walk(file)
    }

    func contains(_ node: some SyntaxProtocol) -> Bool {
        let position = node.positionAfterSkippingLeadingTrivia
        return ranges.contains { $0.contains(position) }
    }

    func isNeutral(_ condition: some SyntaxProtocol) -> Bool { neutral.contains(condition.id) }

    private func exclude(_ node: some SyntaxProtocol) { ranges.append(node.position..<node.endPosition) }

    // MARK: - Conditions

    override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
        guard let sign = node.operator.as(BinaryOperatorExprSyntax.self)?.operator.text, sign == "&&" || sign == "||"
        else { return .visitChildren }
        // The value of an operand that decides the result alone: false for `&&`, true for `||`.
        let deciding = sign == "||"
        let operands = [node.leftOperand, node.rightOperand]
        for (operand, other) in zip(operands, operands.reversed()) {
            let value = defaults.constant(operand)
            if value == deciding { exclude(other) }
            if value == !deciding { neutral.insert(operand.id) }
        }
        return .visitChildren
    }

    override func visit(_ node: ConditionElementListSyntax) -> SyntaxVisitorContinueKind {
        for element in node {
            guard case .expression(let condition) = element.condition else { continue }
            if defaults.constant(condition) == true { neutral.insert(condition.id) }
            if defaults.constant(condition) == false {
                for other in node where other.id != element.id { exclude(other) }
            }
        }
        return .visitChildren
    }

    /// Returns the value of a list of conditions if it is the same in every run without a defect.
    private func constant(_ list: ConditionElementListSyntax) -> Bool? {
        let values = list.map { element -> Bool? in
            guard case .expression(let condition) = element.condition else { return nil }
            return defaults.constant(condition)
        }
        if values.contains(false) { return false }
        return values.allSatisfy { $0 == true } ? true : nil
    }

    // MARK: - Branches

    override func visit(_ node: IfExprSyntax) -> SyntaxVisitorContinueKind {
        switch constant(node.conditions) {
        case false?: exclude(node.body)
        case true?: if let rest = node.elseBody { exclude(rest) }
        case nil: break
        }
        return .visitChildren
    }

    override func visit(_ node: TernaryExprSyntax) -> SyntaxVisitorContinueKind {
        switch defaults.constant(node.condition) {
        case false?: exclude(node.thenExpression)
        case true?: exclude(node.elseExpression)
        case nil: break
        }
        return .visitChildren
    }

    override func visit(_ node: GuardStmtSyntax) -> SyntaxVisitorContinueKind {
        if constant(node.conditions) == true { exclude(node.body) }
        return .visitChildren
    }

    override func visit(_ node: SwitchExprSyntax) -> SyntaxVisitorContinueKind {
        for element in node.cases {
            guard let part = element.as(SwitchCaseSyntax.self), case .case(let label) = part.label else { continue }
            let isNeverTaken = label.caseItems.allSatisfy { item in
                if let condition = item.whereClause?.condition, defaults.constant(condition) == false { return true }
                guard let pattern = item.pattern.as(ExpressionPatternSyntax.self) else { return false }
                return defaults.isDefault(pattern.expression, of: node.subject) == false
            }
            if isNeverTaken { exclude(part.statements) }
        }
        return .visitChildren
    }

    /// Excludes the statements after one that always leaves the block.
    override func visit(_ node: CodeBlockItemListSyntax) -> SyntaxVisitorContinueKind {
        var isLeft = false
        for item in node {
            if isLeft { exclude(item) }
            if let exit = item.item.as(GuardStmtSyntax.self), constant(exit.conditions) == false { isLeft = true }
            if let statement = item.item.as(ExpressionStmtSyntax.self)?.expression.as(IfExprSyntax.self),
                constant(statement.conditions) == true, Self.leaves(statement.body)
            {
                isLeft = true
            }
        }
        return .visitChildren
    }

    private static func leaves(_ block: CodeBlockSyntax) -> Bool {
        guard let last = block.statements.last?.item else { return false }
        return last.is(ReturnStmtSyntax.self) || last.is(ThrowStmtSyntax.self) || last.is(ContinueStmtSyntax.self)
            || last.is(BreakStmtSyntax.self)
    }
}
