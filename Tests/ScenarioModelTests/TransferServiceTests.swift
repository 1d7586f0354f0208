import ChatWire
import Foundations
import ReferenceClient
import Testing

@testable import ScenarioModel

@Suite struct TransferServiceTests {
    private let requests = ["/a", "/b"].map { ChatRequest(method: "POST", target: $0) }
    private let good = ChatResponse(status: 202)

    private func service(hasNetwork: Bool = true) -> TransferService {
        TransferService(for: .only, ClientProfile().device, hasNetwork: hasNetwork)
    }

    private func exchange(_ number: Int) -> ExchangeID { ExchangeID(.only, number, of: .system) }

    private func words(_ wishes: [TransferService.Wish]) -> [String] {
        wishes.map { wish in
            switch wish {
            case .request(let exchange, let request): "\(exchange.number) \(request.target)"
            case .cancel(let exchange): "cancel \(exchange.number)"
            }
        }
    }

    @Test func requestsGoOneAfterTheOther() {
        var service = service()
        #expect(words(service.begin("film", requests, at: .zero)) == ["1 /a"])
        #expect(words(service.begin("photo", requests, at: .zero)) == [])
        #expect(service.names == ["film", "photo"])
        #expect(words(service.answered(exchange(1), good, at: .zero)) == ["2 /b"])
        #expect(words(service.answered(exchange(2), good, at: .zero)) == ["3 /a"])
        #expect(service.takeResults() == [.transferred("film", good)])
        #expect(service.names == ["photo"])
    }

    @Test func whatFailsIsRepeated() {
        var service = service()
        _ = service.begin("film", requests, at: .zero)
        #expect(words(service.failed(exchange(1), at: .zero)) == [])
        #expect(service.nextDeadline == .zero + .seconds(5))
        #expect(words(service.timer(at: .zero + .seconds(5))) == ["2 /a"])
        #expect(words(service.answered(exchange(2), ChatResponse(status: 503), at: .zero + .seconds(6))) == [])
        #expect(words(service.timer(at: .zero + .seconds(11))) == ["3 /a"])
    }

    @Test func whatIsNotAnsweredIsGivenUpAndRepeated() {
        var service = service()
        _ = service.begin("film", requests, at: .zero)
        #expect(words(service.timer(at: .zero + .seconds(60))) == ["cancel 1"])
        #expect(words(service.answered(exchange(1), good, at: .zero + .seconds(61))) == [], "too late")
        #expect(words(service.timer(at: .zero + .seconds(65))) == ["2 /a"])
    }

    @Test func aRefusalEndsATransferAndNotTheNext() {
        var service = service()
        _ = service.begin("film", requests, at: .zero)
        _ = service.begin("photo", requests, at: .zero)
        #expect(words(service.answered(exchange(1), ChatResponse(status: 404), at: .zero)) == ["2 /a"])
        #expect(service.takeResults() == [.transferred("film", ChatResponse(status: 404))])
        #expect(service.takeResults().isEmpty)
    }

    @Test func waitsForANetworkAndBeginsAnewOnAnother() {
        var service = service(hasNetwork: false)
        #expect(words(service.begin("film", requests, at: .zero)) == [])
        #expect(words(service.networkChanged(hasNetwork: true, at: .zero)) == ["1 /a"])
        #expect(words(service.networkChanged(hasNetwork: true, at: .zero)) == ["cancel 1", "2 /a"])
        #expect(words(service.networkChanged(hasNetwork: false, at: .zero)) == ["cancel 2"])
        #expect(service.nextDeadline == nil)
    }

    @Test func aRebootLeavesNothing() {
        var service = service()
        _ = service.begin("film", requests, at: .zero)
        #expect(words(service.stop()) == ["cancel 1"])
        #expect(service.names.isEmpty)
        #expect(service.nextDeadline == nil)
    }

    @Test func theSameIsNotTakenTwice() {
        var service = service()
        _ = service.begin("film", requests, at: .zero)
        #expect(words(service.begin("film", requests, at: .zero)) == [])
        #expect(words(service.begin("nothing", [], at: .zero)) == [])
        #expect(service.names == ["film"])
    }
}
