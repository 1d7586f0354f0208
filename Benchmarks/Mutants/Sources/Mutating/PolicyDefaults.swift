import SwiftParser
import SwiftSyntax

/// The decisions that only a planted defect changes, read from the declarations of the policies.
///
/// A policy is a struct whose name ends in `Policy`, or a struct nested in one; its properties have enum types and
/// default values. Without a defect, every property has its default, so a comparison such as
/// `policy.reset == .whenConnected` is always true or always false.
struct PolicyDefaults: Sendable {
    /// For each property and value that the policies declare, whether the value is the property's default. Nil if
    /// policies with a property of this name disagree, because a comparison does not say which policy it reads.
    private var values: [Pair: Bool?] = [:]

    private struct Pair: Hashable {
        var property: String
        var value: String
    }

    init(_ sources: [String: String] = [:]) {
        let collector = Collector(viewMode: .sourceAccurate)
        for file in sources.keys.sorted() where file.hasSuffix("Policy.swift") {
            collector.walk(Parser.parse(source: sources[file] ?? ""))
        }
        for property in collector.properties {
            // An enum may be declared in the property's struct or in one that encloses it.
            let scopes = (0...property.scope.count).reversed().map { property.scope.prefix($0) + [property.type] }
            let cases = scopes.lazy.compactMap { collector.cases[$0.joined(separator: ".")] }.first
            for value in cases ?? [] {
                let pair = Pair(property: property.name, value: value)
                let isDefault = property.value == value
                if let known = values[pair], known != isDefault {
                    values[pair] = .some(nil)
                } else {
                    values[pair] = isDefault
                }
            }
        }
    }

    /// Returns the value of a condition if it is the same in every run without a defect; nil if it is not.
    func constant(_ expression: ExprSyntax) -> Bool? {
        if let tuple = expression.as(TupleExprSyntax.self), tuple.elements.count == 1 {
            return tuple.elements.first.flatMap { constant($0.expression) }
        }
        if let prefix = expression.as(PrefixOperatorExprSyntax.self), prefix.operator.text == "!" {
            return constant(prefix.expression).map { !$0 }
        }
        guard let infix = expression.as(InfixOperatorExprSyntax.self),
            let sign = infix.operator.as(BinaryOperatorExprSyntax.self)?.operator.text
        else { return nil }
        switch sign {
        case "==": return isDefault(infix.rightOperand, of: infix.leftOperand)
        case "!=": return isDefault(infix.rightOperand, of: infix.leftOperand).map { !$0 }
        case "&&":
            let operands = (constant(infix.leftOperand), constant(infix.rightOperand))
            if operands.0 == false || operands.1 == false { return false }
            return operands == (true, true) ? true : nil
        case "||":
            let operands = (constant(infix.leftOperand), constant(infix.rightOperand))
            if operands.0 == true || operands.1 == true { return true }
            return operands == (false, false) ? false : nil
        default: return nil
        }
    }

    /// Returns whether a property of a policy, such as `rules.policy.portal.captive`, has the value (`.keepsTrying`) by
    /// default; nil if that is unknown or if the expression is not a property of a policy.
    func isDefault(_ value: some SyntaxProtocol, of expression: some SyntaxProtocol) -> Bool? {
        guard let access = expression.as(MemberAccessExprSyntax.self), let base = access.base,
            base.trimmedDescription.split(separator: ".").contains("policy"),
            let member = value.as(MemberAccessExprSyntax.self), member.base == nil
        else { return nil }
        let pair = Pair(property: access.declName.baseName.text, value: member.declName.baseName.text)
        return values[pair] ?? nil
    }

    /// Collects the enums in policies, and the properties whose default value is one of their cases.
    private final class Collector: SyntaxVisitor {
        var cases: [String: [String]] = [:]
        var properties: [(name: String, scope: [String], type: String, value: String)] = []
        /// The names of the enclosing structs; the outermost is the policy.
        private var structs: [String] = []

        override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind {
            structs.append(node.name.text)
            return .visitChildren
        }

        override func visitPost(_ node: StructDeclSyntax) { structs.removeLast() }

        override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind {
            let names = node.memberBlock.members.compactMap { $0.decl.as(EnumCaseDeclSyntax.self) }
                .flatMap { $0.elements.map(\.name.text) }
            cases[(structs + [node.name.text]).joined(separator: ".")] = names
            return .skipChildren
        }

        override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
            for binding in node.bindings {
                guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text,
                    let value = binding.initializer?.value.as(MemberAccessExprSyntax.self), let type = value.base
                else { continue }
                properties.append((name, structs, type.trimmedDescription, value.declName.baseName.text))
            }
            return .skipChildren
        }
    }
}
