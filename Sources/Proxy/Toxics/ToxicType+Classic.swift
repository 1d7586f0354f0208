import Faults
import SquallCore

extension ToxicType {
    /// Toxiproxy's own toxic types, with its names, attributes and units.
    ///
    /// An out-of-range value has the effect of the nearest valid value.
    static let toxiproxyTypes: [ToxicType] = [
        ToxicType(
            classic: "latency",
            "Delays each byte.",
            [
                .integer("latency", "The delay of each byte in milliseconds."),
                .integer("jitter", "The maximum deviation from the delay, in milliseconds in either direction."),
            ]
        ) { values, stream in
            var latency = Fault.Latency(
                delay: values.milliseconds("latency"),
                jitter: values.milliseconds("jitter"),
                stream: stream
            )
            latency.spread = .piece
            latency.delaysEnd = false
            return .latency(latency)
        },
        ToxicType(
            classic: "bandwidth",
            "Limits the rate of one direction.",
            [.integer("rate", "The rate in units of 1000 bytes per second; 0 lets nothing pass.")]
        ) {
            values,
            stream in
            let rate = values.integer("rate").multipliedReportingOverflow(by: 1000)
            return .bandwidth(Fault.Bandwidth(rate: rate.overflow ? .max : max(0, rate.partialValue), stream: stream))
        },
        ToxicType(
            classic: "slow_close",
            "Delays the end of the stream.",
            [.integer("delay", "The delay of the end of the stream, in milliseconds.")]
        ) {
            values,
            stream in
            .slowClose(Fault.SlowClose(delay: values.milliseconds("delay"), stream: stream))
        },
        ToxicType(
            classic: "timeout",
            "Passes nothing on, and ends the connection after a time.",
            [
                .integer(
                    "timeout",
                    "The time in milliseconds after which the connection ends; 0 means when the toxic is removed."
                )
            ]
        ) { values, stream in
            .timeout(Fault.Timeout(values.milliseconds("timeout"), stream: stream))
        },
        ToxicType(
            classic: "reset_peer",
            "Resets the connection, at once or after a time.",
            [
                .integer("timeout", "The time in milliseconds after which the connection is reset.")
            ]
        ) { values, _ in
            .resetPeer(Fault.ResetPeer(after: max(.zero, values.milliseconds("timeout"))))
        },
        ToxicType(
            classic: "slicer",
            "Splits the data into small parts with a delay between them.",
            [
                .integer("average_size", "The average size of a part, in bytes."),
                .integer(
                    "size_variation",
                    "The maximum deviation from the average size, in bytes in either direction."
                ),
                .integer("delay", "The delay between two parts, in microseconds."),
            ]
        ) {
            values,
            stream in
            .slicer(
                Fault.Slicer(
                    averageSize: max(1, values.integer("average_size")),
                    sizeVariation: max(0, values.integer("size_variation")),
                    delay: max(.zero, .microseconds(values.integer("delay"))),
                    stream: stream
                )
            )
        },
        ToxicType(
            classic: "limit_data",
            "Ends the connection after a number of bytes.",
            [.integer("bytes", "The number of bytes after which the connection ends.")]
        ) {
            values,
            stream in
            .limitData(Fault.LimitData(bytes: max(0, values.integer("bytes")), stream: stream))
        },
        ToxicType(
            classic: "noop",
            "No effect.",
            []
        ) { _, _ in nil },
    ]
}
