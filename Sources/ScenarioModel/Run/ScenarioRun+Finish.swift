package import SquallCore
import TemporalLogic
import Trace

// Creates the recording and the result of a run.

extension ScenarioRun {
    func recordingSoFar(at now: Instant) -> Recording {
        recorder.recording(plan.header, end: now, ending: ending)
    }

    private var ending: RunEnding {
        var ending = RunEnding()
        ending.script = explained(director.outcome)
        ending.scriptEnd = scriptEnd
        ending.abandoned = end.abandonReason
        ending.isInterrupted = end.isInterrupted
        return ending
    }

    package mutating func finish(at now: Instant) -> RunResult {
        if hasForeign {
            failClosedOutputs(at: now)
            recordLastErrors(at: now)
        }
        var recording = recordingSoFar(at: now)
        var judgement =
            plan.endsAtViolation && monitors.hasViolation
            ? monitors.judgementSoFar()
            : monitors.finish(at: now, scriptFinished: recording.ending.isFinished)
        var digest = recorder.digest(endingAt: now)
        if let before = calm?.before {
            // The expectations were decided before the fault-free (calm) period. If no invariant was violated in that
            // period, remove it from the trace.
            judgement.expectations = before.judgement.expectations
            var decided = recording
            decided.cut(to: before.events, end: before.end)
            judgement.correctTooEarlyBounds(plan.scenario.expectations, in: decided)
            if judgement.hasPassed { (recording, digest) = (decided, before.digest) }
        } else {
            judgement.correctTooEarlyBounds(plan.scenario.expectations, in: recording)
        }
        let judged = zip(plan.scenario.expectations, judgement.expectations).map { ExpectationResult($0, $1) }
        // Report an invariant only if it was violated.
        let broken = judgement.invariants.filter { $0.verdict.outcome == .fail }
            .map { ExpectationResult($0, file: plan.scenario.file) }
        return RunResult(
            recording: recording,
            digest: digest,
            judgements: judged + broken,
            lateness: lateness,
            steps: director.played
        )
    }
}
