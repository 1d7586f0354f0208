import SwiftOperators
import SwiftParser
import SwiftSyntax

/// Finds all places in a file where a mutant can be planted.
///
/// The search has no type information, so a few mutants do not compile. The build detects them and leaves them out.
final class Finder: SyntaxVisitor {
    private let file: String
    private let converter: SourceLocationConverter
    private var functions: [String] = []
    /// For each enclosing function, whether it returns a value. If it does, its only statement may be the implicit
    /// return value.
    private var returnsValue: [Bool] = []
    private var ordinals: [String: Int] = [:]
    private(set) var candidates: [Candidate] = []
    private let defectOnly: DefectOnlyCode

    static func candidates(
        in source: String,
        file: String,
        defaults: PolicyDefaults = PolicyDefaults()
    ) -> [Candidate] {
        let parsed = Parser.parse(source: source)
        // Only standard operators are folded; expressions with custom operators stay unfolded.
        let folded = OperatorTable.standardOperators.foldAll(parsed) { _ in }
        guard let tree = folded.as(SourceFileSyntax.self) else { return [] }
        let finder = Finder(
            file,
            SourceLocationConverter(fileName: file, tree: tree),
            DefectOnlyCode(in: tree, defaults)
        )
        finder.walk(tree)
        return finder.candidates
    }

    private init(_ file: String, _ converter: SourceLocationConverter, _ defectOnly: DefectOnlyCode) {
        self.file = file
        self.converter = converter
        self.defectOnly = defectOnly
        super.init(viewMode: .sourceAccurate)
    }

    // MARK: - Enclosing declarations

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        enter(node.name.text, returnsValue: node.signature.returnClause != nil)
        if node.signature.returnClause == nil, let body = node.body, !body.statements.isEmpty {
            let start = body.leftBrace.endPositionBeforeTrailingTrivia.utf8Offset
            add(.emptiedFunction, Syntax(node.name)) { number in
                Edit(start, start, prefix: " if Mutants.isChosen(\(number)) { return }; ", suffix: "")
            }
        }
        return .visitChildren
    }

    override func visitPost(_ node: FunctionDeclSyntax) { leave() }

    override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
        enter("init", returnsValue: false)
        return .visitChildren
    }

    override func visitPost(_ node: InitializerDeclSyntax) { leave() }

    override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
        enter(node.bindings.first?.pattern.trimmedDescription ?? "variable", returnsValue: true)
        return .visitChildren
    }

    override func visitPost(_ node: VariableDeclSyntax) { leave() }

    override func visit(_ node: SubscriptDeclSyntax) -> SyntaxVisitorContinueKind {
        enter("subscript", returnsValue: true)
        return .visitChildren
    }

    override func visitPost(_ node: SubscriptDeclSyntax) { leave() }

    override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind {
        enter(functions.last ?? "closure", returnsValue: true)
        return .visitChildren
    }

    override func visitPost(_ node: ClosureExprSyntax) { leave() }

    // Patterns, attributes and raw values are not evaluated at run time, so they get no mutants.
    override func visit(_ node: ExpressionPatternSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: AttributeSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: EnumCaseDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: MacroExpansionExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

    private func enter(_ name: String, returnsValue: Bool) {
        functions.append(name)
        self.returnsValue.append(returnsValue)
    }

    private func leave() {
        functions.removeLast()
        returnsValue.removeLast()
    }

    // MARK: - Conditions

    /// Maps each comparison operator to the helper function that mutates it and to the resulting operator.
    private static let shifts = [
        "<": ("less", "<="), "<=": ("lessOrEqual", "<"), ">": ("greater", ">="), ">=": ("greaterOrEqual", ">"),
    ]

    override func visit(_ node: ConditionElementListSyntax) -> SyntaxVisitorContinueKind {
        for element in node {
            guard case .expression(let condition) = element.condition else { continue }
            negate(condition)
            if node.count > 1 { leaveOut(condition, as: "always") }
        }
        return .visitChildren
    }

    override func visit(_ node: TernaryExprSyntax) -> SyntaxVisitorContinueKind {
        negate(node.condition)
        return .visitChildren
    }

    override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
        guard let token = node.operator.as(BinaryOperatorExprSyntax.self)?.operator else { return .visitChildren }
        switch token.text {
        case "&&":
            leaveOut(node.leftOperand, as: "always")
            leaveOut(node.rightOperand, as: "always")
        case "||":
            leaveOut(node.leftOperand, as: "never")
            leaveOut(node.rightOperand, as: "never")
        case "<", "<=", ">", ">=":
            // Tuples have comparison operators but do not conform to `Comparable`.
            guard !node.leftOperand.is(TupleExprSyntax.self), !node.rightOperand.is(TupleExprSyntax.self) else { break }
            let (start, end) = (Self.start(of: node), Self.end(of: node))
            let place = Self.start(of: token)..<Self.end(of: token)
            let (name, shifted) = Self.shifts[token.text] ?? ("less", "<=")
            let operands = (node.leftOperand.trimmedDescription, node.rightOperand.trimmedDescription)
            add(.shiftedComparison, Syntax(node), mutated: "\(operands.0) \(shifted) \(operands.1)") { number in
                var edit = Edit(start, end, prefix: "Mutants.\(name)(\(number), ", suffix: ")")
                edit.replaced = place
                edit.replacement = ","
                return edit
            }
        default: break
        }
        return .visitChildren
    }

    private func negate(_ condition: ExprSyntax) { wrap(condition, .negatedCondition, "negated") }

    private func leaveOut(_ condition: ExprSyntax, as name: String) { wrap(condition, .droppedCondition, name) }

    private func wrap(_ node: ExprSyntax, _ kind: Mutant.Kind, _ call: String) {
        let (start, end) = (Self.start(of: node), Self.end(of: node))
        add(kind, Syntax(node)) { Edit(start, end, prefix: "Mutants.\(call)(\($0), ", suffix: ")") }
    }

    // MARK: - Constants

    override func visit(_ node: IntegerLiteralExprSyntax) -> SyntaxVisitorContinueKind {
        wrap(ExprSyntax(node), .changedConstant, "increased")
        return .skipChildren
    }

    // MARK: - Statements

    override func visit(_ node: CodeBlockItemListSyntax) -> SyntaxVisitorContinueKind {
        for item in node where !mayBeResult(node) {
            guard case .expr(let expression) = item.item, let kind = kind(of: expression) else { continue }
            // An initializer must set every property, so none of its statements is left out.
            guard functions.last != "init" else { continue }
            let (start, end) = (Self.start(of: expression), Self.end(of: expression))
            add(kind, Syntax(expression)) { number in
                Edit(start, end, prefix: "if !Mutants.isChosen(\(number)) { ", suffix: " }")
            }
        }
        return .visitChildren
    }

    /// Returns whether the list's only statement may be the implicit result of a function, a closure, or an `if` or
    /// `switch` expression.
    private func mayBeResult(_ list: CodeBlockItemListSyntax) -> Bool {
        list.count == 1 && returnsValue.last == true
    }

    private func kind(of expression: ExprSyntax) -> Mutant.Kind? {
        if let call = expression.as(FunctionCallExprSyntax.self) {
            let name = call.calledExpression.trimmedDescription
            return ["fatalError", "preconditionFailure"].contains(name) ? nil : .droppedCall
        }
        if let attempt = expression.as(TryExprSyntax.self) { return kind(of: attempt.expression) }
        guard let infix = expression.as(InfixOperatorExprSyntax.self) else { return nil }
        if infix.operator.is(AssignmentExprSyntax.self) {
            return infix.leftOperand.is(DiscardAssignmentExprSyntax.self) ? .droppedCall : .droppedAssignment
        }
        let name = infix.operator.as(BinaryOperatorExprSyntax.self)?.operator.text ?? ""
        return name.hasSuffix("=") && !["==", "!=", "<=", ">="].contains(name) ? .droppedAssignment : nil
    }

    // MARK: - Adding mutants

    private func add(
        _ kind: Mutant.Kind,
        _ node: Syntax,
        mutated: String? = nil,
        _ edit: @escaping @Sendable (Int) -> Edit
    ) {
        let function = functions.first ?? "file"
        let ordinal = ordinals["\(function) \(kind)", default: 0] + 1
        ordinals["\(function) \(kind)"] = ordinal
        guard !defectOnly.contains(node), kind != .droppedCondition || !defectOnly.isNeutral(node) else { return }
        let text = Self.oneLine(node.trimmedDescription)
        candidates.append(
            Candidate(
                mutant: Mutant(
                    kind: kind,
                    file: file,
                    line: converter.location(for: node.positionAfterSkippingLeadingTrivia).line,
                    function: function,
                    ordinal: ordinal,
                    text: text,
                    mutated: mutated.map(Self.oneLine) ?? Self.mutated(text, by: kind)
                ),
                edit: edit
            )
        )
    }

    private static func oneLine(_ text: String) -> String {
        String(text.split(whereSeparator: \.isWhitespace).joined(separator: " ").prefix(100))
    }

    private static func mutated(_ text: String, by kind: Mutant.Kind) -> String {
        switch kind {
        case .negatedCondition: "!(\(text))"
        case .changedConstant: "\(text) + 1"
        case .emptiedFunction: "func \(text) returns at once"
        case .droppedCondition, .droppedCall, .droppedAssignment, .shiftedComparison: "(left out)"
        }
    }

    private static func start(of node: some SyntaxProtocol) -> Int {
        node.positionAfterSkippingLeadingTrivia.utf8Offset
    }
    private static func end(of node: some SyntaxProtocol) -> Int { node.endPositionBeforeTrailingTrivia.utf8Offset }
}
