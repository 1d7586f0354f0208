import Panel
import ScenarioModel
import SquallCore
import Testing

@Suite("The actions of a panel")
struct PanelCatalogueTests {
    private static let catalogue = PanelCatalogue(Registry.actions)

    @Test("Every action of the registry has a button, and no keys are those of another")
    func keys() {
        let catalogue = Self.catalogue
        #expect(Set(catalogue.actions.map(\.id)).count == Registry.actions.count)
        let keys = catalogue.actions.map(\.keys).filter { !$0.isEmpty }
        #expect(Set(keys).count == keys.count)
        // Keys of which one begins with the other could not both be pressed.
        for key in keys { #expect(!keys.contains { $0 != key && $0.hasPrefix(key) }, "\(key)") }
        // The page's own keys.
        for key in ["j", "k", "s", "C", "T", " ", "/", ".", "1"] { #expect(!keys.contains(key), "\(key)") }
    }

    @Test("The common actions exist")
    func common() {
        for id in PanelCatalogue.common { #expect(Self.catalogue[id]?.isCommon == true, "\(id)") }
    }
}
