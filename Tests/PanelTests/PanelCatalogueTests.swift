import Panel
import ScenarioModel
import SquallCore
import Testing

@Suite("The actions of a panel")
struct PanelCatalogueTests {
    private static let steps = StepActions(Registry.actions)
    private static let catalogue = steps.catalogue

    @Test("Every action of the registry has a button with a unique key sequence")
    func keys() {
        let catalogue = Self.catalogue
        #expect(Set(catalogue.actions.map(\.id)).count == Registry.actions.count)
        let keys = catalogue.actions.map(\.keys).filter { !$0.isEmpty }
        #expect(Set(keys).count == keys.count)
        // If one key sequence were a prefix of another, the longer one could not be entered.
        for key in keys { #expect(!keys.contains { $0 != key && $0.hasPrefix(key) }, "\(key)") }
        // The panel page reserves these keys for its own commands.
        for key in ["j", "k", "n", "s", "C", "T", "V", " ", "/", ".", "0", "1"] {
            #expect(!keys.contains(key), "\(key)")
        }
    }

    @Test("An action has the same keys in a panel that offers fewer actions")
    func keysAreShared() {
        let fewer = StepActions(
            Registry.actions.filter { $0.actor != .server && $0.verb != "drop" },
            sharingKeysWith: Registry.actions
        ).catalogue
        for action in fewer.actions { #expect(action.keys == Self.catalogue[action.id]?.keys, "\(action.id)") }
    }

    @Test("Every action in the list of common actions exists")
    func common() {
        for id in StepActions.commonIDs { #expect(Self.catalogue[id]?.isCommon == true, "\(id)") }
    }

    @Test("Every common action has a key, and its preset contains only its own fields")
    func presets() {
        for action in Self.catalogue.actions where action.isCommon {
            #expect(!action.keys.isEmpty, "\(action.id)")
            for name in action.preset.keys {
                #expect(action.fields.contains { $0.name == name }, "\(action.id) \(name)")
            }
        }
    }

    @Test("No action uses a key that the panel itself uses")
    func keysOfThePage() {
        for key in ["j", "k", "n", "x", "z", "C", "R", "T", "V", "X"] {
            #expect(!Self.catalogue.actions.contains { $0.keys.hasPrefix(key) }, "\(key)")
        }
    }

    @Test("A form produces the same step as a scenario contains")
    func step() throws {
        func step(_ json: JSON) -> String? { PanelForm(json, of: Self.catalogue).map(Self.steps.step) }
        #expect(step(["action": "network.stall"]) == "network: stall")
        #expect(
            step(["action": "network.stall", "fields": ["for": "3s"], "label": "gap"])
                == "{ network: { stall: 3s }, as: gap }"
        )
        #expect(
            step(["action": "device.network", "fields": ["state": "off"], "client": "anna"])
                == "anna.device: { network: off }"
        )
        #expect(step(["action": "network.nothing"]) == nil)
        #expect(step(["step": "network: stall"]) == nil)
    }
}
