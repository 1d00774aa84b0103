"""Asking a whole panel about all claims, and writing every vote down as soon as it is there."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from parcel_agents.api import claim_fault
from parcel_agents.eval.datasets import Dataset
from parcel_agents.graphs.state import VerifyContext
from parcel_agents.graphs.verify import ask
from parcel_agents.providers import RunStoppedError
from parcel_agents.store import Run
from parcel_agents.types import GoldClaim, Opinion, Vote
from parcel_agents.verifiers import Task, Verifier

GRACE_S = 30.0
"""How long calls under way may take after the run had to stop: their answers are paid for."""
AHEAD = 2
"""Jobs that are made ready, as a multiple of those at work. The next opinion is indexed while they are worked off."""

OnVote = Callable[[str, Vote], None]


@dataclass(frozen=True)
class Pending:
    """A claim, and the verifiers whose vote on it is missing."""

    claim: GoldClaim
    verifiers: tuple[Verifier, ...]
    fault: str | None
    """Why the claim cannot be verified, None if it can."""


def find_pending(run: Run | None, dataset: Dataset, verifiers: Sequence[Verifier]) -> dict[str, list[Pending]]:
    """What is left to ask, by opinion id.

    Every vote that is not there or has failed is asked for, whatever it failed of: a refusal is not repeated by every
    model, and a window or a filter may have been changed on the server. The votes on a claim that cannot be verified
    stay as they are.

    Args:
        run: the votes that are there; None for none.
        dataset: the claims.
        verifiers: the panel, each of whom is to vote on each claim.
    """
    found: dict[str, list[Pending]] = {}
    for opinion_id, claims in dataset.by_opinion().items():
        for claim in claims:
            fault = claim_fault(claim.claim)
            wanted = ("missing",) if fault else ("missing", "failed")
            missing = tuple(each for each in verifiers if run is None or run.state(claim.id, each.name) in wanted)
            if missing:
                found.setdefault(opinion_id, []).append(Pending(claim, missing, fault))
    return found


async def record_votes(run: Run, dataset: Dataset, context: VerifyContext, *, on_vote: OnVote | None = None) -> None:
    """Ask for all votes that the run does not have, opinion by opinion, and append each as it comes.

    The votes on a claim that cannot be verified have the outcome `error`, and the reason says why; nobody is asked.
    A verifier that raises, or takes longer than the deadline of the configuration, gives a vote that says so.

    Args:
        run: open for writing.
        dataset: the claims of the run with their opinions.
        context: the panel; every verifier of every tier is asked.
        on_vote: called with the claim's id and the vote, after it has been written.

    Raises:
        RunStoppedError: a key is not accepted, a quota is used up, or the cap on costs is reached. The calls that were
            under way have had their time to end, and their votes are there.
        ParcelError: votes cannot be written, or something is missing that all of them need.
    """
    pending = find_pending(run, dataset, context.verifiers)
    await _Recording(run, dataset, context, on_vote or (lambda *_: None)).work_off(pending)


@dataclass(frozen=True)
class _Job:
    task: Task
    verifier: Verifier


@dataclass
class _Recording:
    """Producers and workers around a queue: the queue's bound is what keeps memory flat."""

    run: Run
    dataset: Dataset
    context: VerifyContext
    on_vote: OnVote
    stopping: bool = False
    jobs: asyncio.Queue[_Job | None] = field(init=False)

    def __post_init__(self) -> None:
        self.jobs = asyncio.Queue(maxsize=AHEAD * self.context.concurrency)

    async def work_off(self, pending: dict[str, list[Pending]]) -> None:
        """Ask for everything that is pending."""
        producer = asyncio.create_task(self._produce(pending))
        workers = [asyncio.create_task(self._work()) for _ in range(self.context.concurrency)]
        tasks = [producer, *workers]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
            if failed := _failures(done):
                self.stopping = True
                producer.cancel()
                self._empty()
                await asyncio.wait(workers, timeout=GRACE_S)
                raise failed[0]
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _produce(self, pending: dict[str, list[Pending]]) -> None:
        claims_of = self.dataset.by_opinion()
        for opinion_id, claims in pending.items():
            usable = list(self._without_faulty(claims))
            if not usable:
                continue
            texts = [claim.claim for claim in claims_of[opinion_id] if claim_fault(claim.claim) is None]
            for job in await asyncio.to_thread(self._jobs, self.dataset.opinions[opinion_id], texts, usable):
                await self.jobs.put(job)
        for _ in range(self.context.concurrency):
            await self.jobs.put(None)

    def _jobs(self, opinion: Opinion, texts: Sequence[str], pending: Sequence[Pending]) -> list[_Job]:
        """The votes to ask for on one opinion. Its index lives as long as its jobs."""
        index = self.context.retriever.index(opinion)
        # All claims of the opinion, even where votes on few are missing: the last digits of an embedding depend on
        # what stands beside it in its batch, and a run that was killed is to end as one that was not.
        index.prepare(texts)
        jobs: list[_Job] = []
        for each in pending:
            claim = each.claim.as_claim()
            hits = index.search(claim.text, self.context.top_k)
            task = Task(claim=claim, opinion=opinion, index=index, hits=hits)
            jobs += [_Job(task, verifier) for verifier in each.verifiers]
        return jobs

    def _without_faulty(self, claims: Iterable[Pending]) -> Iterator[Pending]:
        for each in claims:
            if each.fault is None:
                yield each
                continue
            for verifier in each.verifiers:
                reason = f"the claim cannot be verified: {each.fault}"
                self._keep(each.claim.id, Vote(verifier=verifier.name, outcome="error", reason=reason))

    async def _work(self) -> None:
        while (job := await self.jobs.get()) is not None:
            self._keep(job.task.claim.id, await self._vote(job))
            del job  # While a worker waits it must not hold the index of an opinion that is done.
            if self.stopping:
                return

    async def _vote(self, job: _Job) -> Vote:
        clock, deadline_s = self.context.clock, self.context.deadline_s
        started = clock()
        try:
            async with asyncio.timeout(deadline_s):
                vote = await ask(job.verifier, job.task)
        except TimeoutError:
            reason = f"no vote within the deadline of {deadline_s:g} s"
            vote = Vote(verifier=job.verifier.name, outcome="timeout", reason=reason)
        return vote.model_copy(update={"latency_s": round(clock() - started, 6)})

    def _keep(self, claim_id: str, vote: Vote) -> None:
        self.run.append(claim_id, vote)
        self.on_vote(claim_id, vote)

    def _empty(self) -> None:
        """Drop what nobody has begun, and let the workers that wait for a job go."""
        while not self.jobs.empty():
            self.jobs.get_nowait()
        for _ in range(self.context.concurrency):
            self.jobs.put_nowait(None)


def _failures(done: Iterable[asyncio.Task[None]]) -> list[BaseException]:
    """What ended the tasks; what the run had to stop for comes first."""
    errors = [error for task in done if not task.cancelled() and (error := task.exception()) is not None]
    return sorted(errors, key=lambda error: not isinstance(error, RunStoppedError))
