import ChatWire
import ReferenceClient
import SquallCore
import Testing

@testable import ScenarioModel

@Suite struct TransferServiceTests {
    private let requests = ["/a", "/b"].map { ChatRequest(method: "POST", target: $0) }
    private let good = ChatResponse(status: 202)

    private func service() -> TransferService { TransferService(for: .only, ClientProfile().device) }

    private func exchange(_ number: Int) -> ExchangeID { ExchangeID(.only, number, of: .system) }

    private func words(_ wishes: [TransferService.NetworkAction]) -> [String] {
        wishes.map { wish in
            switch wish {
            case .request(let exchange, let request): "\(exchange.number) \(request.target)"
            case .cancel(let exchange): "cancel \(exchange.number)"
            }
        }
    }

    @Test("Background transfers send their requests one after the other")
    func requestsGoOneAfterTheOther() {
        var service = service()
        #expect(words(service.begin("film", requests, hasNetwork: true, at: .zero)) == ["1 /a"])
        #expect(words(service.begin("photo", requests, hasNetwork: true, at: .zero)) == [])
        #expect(service.names == ["film", "photo"])
        #expect(words(service.answered(exchange(1), good, hasNetwork: true, at: .zero)) == ["2 /b"])
        #expect(words(service.answered(exchange(2), good, hasNetwork: true, at: .zero)) == ["3 /a"])
        #expect(service.takeResults() == [.transferred("film", good)])
        #expect(service.names == ["photo"])
    }

    @Test("A failed background transfer request is repeated after five seconds")
    func aFailedRequestIsRepeated() {
        var service = service()
        _ = service.begin("film", requests, hasNetwork: true, at: .zero)
        #expect(words(service.failed(exchange(1), at: .zero)) == [])
        #expect(service.nextDeadline == .zero + .seconds(5))
        #expect(words(service.timer(hasNetwork: true, at: .zero + .seconds(5))) == ["2 /a"])
        let refusal = ChatResponse(status: 503)
        #expect(words(service.answered(exchange(2), refusal, hasNetwork: true, at: .zero + .seconds(6))) == [])
        #expect(words(service.timer(hasNetwork: true, at: .zero + .seconds(11))) == ["3 /a"])
    }

    @Test("A background transfer request without a response is cancelled after a timeout and repeated")
    func anUnansweredRequestIsRepeated() {
        var service = service()
        _ = service.begin("film", requests, hasNetwork: true, at: .zero)
        #expect(words(service.timer(hasNetwork: true, at: .zero + .seconds(60))) == ["cancel 1"])
        let late = Instant.zero + .seconds(61)
        #expect(words(service.answered(exchange(1), good, hasNetwork: true, at: late)) == [], "too late")
        #expect(words(service.timer(hasNetwork: true, at: .zero + .seconds(65))) == ["2 /a"])
    }

    @Test("A refused request ends its transfer, and the next transfer begins")
    func aRefusalEndsATransferAndNotTheNext() {
        var service = service()
        _ = service.begin("film", requests, hasNetwork: true, at: .zero)
        _ = service.begin("photo", requests, hasNetwork: true, at: .zero)
        let refusal = ChatResponse(status: 404)
        #expect(words(service.answered(exchange(1), refusal, hasNetwork: true, at: .zero)) == ["2 /a"])
        #expect(service.takeResults() == [.transferred("film", refusal)])
        #expect(service.takeResults().isEmpty)
    }

    @Test("A transfer waits for a network and is restarted when the network changes")
    func waitsForANetworkAndBeginsAnewOnAnother() {
        var service = service()
        #expect(words(service.begin("film", requests, hasNetwork: false, at: .zero)) == [])
        #expect(words(service.networkChanged(hasNetwork: true, at: .zero)) == ["1 /a"])
        #expect(words(service.networkChanged(hasNetwork: true, at: .zero)) == ["cancel 1", "2 /a"])
        #expect(words(service.networkChanged(hasNetwork: false, at: .zero)) == ["cancel 2"])
        #expect(service.nextDeadline == nil)
    }

    @Test("A reboot removes all transfers")
    func aRebootLeavesNothing() {
        var service = service()
        _ = service.begin("film", requests, hasNetwork: true, at: .zero)
        #expect(words(service.stop()) == ["cancel 1"])
        #expect(service.names.isEmpty)
        #expect(service.nextDeadline == nil)
    }

    @Test("A transfer with a name already in use is not accepted")
    func theSameIsNotTakenTwice() {
        var service = service()
        _ = service.begin("film", requests, hasNetwork: true, at: .zero)
        #expect(words(service.begin("film", requests, hasNetwork: true, at: .zero)) == [])
        #expect(words(service.begin("nothing", [], hasNetwork: true, at: .zero)) == [])
        #expect(service.names == ["film"])
    }
}
