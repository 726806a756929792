import assert from 'node:assert/strict'
import {
  type AccountHolder,
  type Connector,
  createPeer,
  type RailKind,
  type RailOutcome,
  type SubmitOutcome,
} from '@pesewa/connector-kit'
import { must } from '@pesewa/values'
import fc from 'fast-check'
import { type Exchange, startHostileRail } from './hostile-rail.ts'
import {
  damage,
  damaged,
  genuineResponse,
  type HostileResponse,
  hostileResponses,
  isWhole,
  shown,
} from './hostile-response.ts'
import { mutated, mutationsWith, vocabularyOf } from './mutation.ts'
import {
  asksAbout,
  type FuzzCall,
  type FuzzReport,
  type FuzzStep,
  ours,
  type RailFuzz,
  type SeenDocument,
  type Supported,
} from './rail-fuzz.ts'

/** Number of responses per call: few in `npm test`, ten thousand in `npm run fuzz`. */
export const runs = {
  numRuns: Number(process.env.FUZZ_RESPONSES ?? 40),
  seed: Number(process.env.FUZZ_SEED ?? 20_261_123),
}

type Rail = Awaited<ReturnType<typeof startHostileRail>>

/** Starts a rail that sends prepared responses, and a connector to it. */
export async function openFuzz(fuzz: RailFuzz) {
  const rail = await startHostileRail()
  const peer = createPeer(10)
  const connect = (call?: FuzzCall) => (call?.connect ?? fuzz.connect)(rail.baseUrl, peer)
  return {
    genuineOutcomes: (call: FuzzCall) => genuineOutcomes(fuzz, call, rail, () => connect(call)),
    callOutcomes(call: FuzzCall) {
      const connector = connect(call)
      return fuzzCall(fuzz, call, rail, () => (call.isFresh ? connect(call) : connector))
    },
    reportOutcomes: (report: FuzzReport) => fuzzReports(fuzz, report, connect()),
    async close() {
      await peer.close()
      await rail.close()
    },
  }
}

/** Returns the outcomes of the unchanged responses. */
async function genuineOutcomes(fuzz: RailFuzz, call: FuzzCall, rail: Rail, open: () => Connector) {
  const outcomes = new Set<string>()
  const most = Math.max(...stepsOf(call).map(({ genuine }) => genuine.length))
  for (let i = 0; i < most; i++) {
    const responses = stepsOf(call).map(({ genuine }) => genuineResponse(genuine[i] ?? genuine.at(-1)!))
    const tokens = sharedBy(fuzz).map(({ genuine }) => genuineResponse(genuine[0]!))
    outcomes.add(await askOnce(fuzz, call, rail, open(), [...responses, ...tokens]))
  }
  return [...outcomes].toSorted()
}

const stepsOf = (call: FuzzCall): FuzzStep[] => [call, ...(call.next ?? [])]
const sharedBy = ({ shared = [] }: RailFuzz) => shared

async function fuzzCall(fuzz: RailFuzz, call: FuzzCall, rail: Rail, open: () => Connector): Promise<void> {
  const steps = [...stepsOf(call), ...sharedBy(fuzz)]
  const documents = steps.flatMap(({ genuine }) => genuine.map(({ body }) => body))
  const vocabulary = vocabularyOf(documents, fuzz.words)
  const responses = steps.map(({ genuine }) =>
    sharedBy(fuzz).some((step) => step.genuine === genuine)
      ? fc.oneof(
          { weight: 20, arbitrary: fc.constant(genuineResponse(genuine[0]!)) },
          { weight: 1, arbitrary: hostileResponses(genuine, vocabulary) },
        )
      : hostileResponses(genuine, vocabulary),
  )
  await fc.assert(
    fc.asyncProperty(fc.tuple(...responses), async (prepared) => {
      await askOnce(fuzz, call, rail, open(), prepared)
    }),
    { ...runs, includeErrorInReport: true },
  )
}

/** @param prepared a response for each step of the call, then for each shared step */
async function askOnce(
  fuzz: RailFuzz,
  call: FuzzCall,
  rail: Rail,
  connector: Connector,
  prepared: readonly HostileResponse[],
): Promise<string> {
  const steps = [...stepsOf(call), ...sharedBy(fuzz)]
  rail.takeExchanges()
  rail.respond = (message) => {
    const index = steps.findIndex(({ at }) => at.test(message))
    assert.ok(prepared[index], `the rail has no response to ${message}`)
    return prepared[index]
  }
  const asks: Record<string, (connector: Connector) => Promise<Result>> = asksAbout(call.order ?? fuzz.order)
  const result = await must(asks[call.name.replace(' by card', '')], 'call')(connector)
  const exchanges = rail.takeExchanges()
  const own = exchanges.filter(({ message }) => stepsOf(call).some(({ at }) => at.test(message)))
  const seen = seenIn(own.filter(({ response }) => isWhole(response)))
  const supported = seen[0] ? call.supported(seen[0], seen) : {}
  checkOutcome(fuzz, result, supported, shownExchanges(exchanges))
  return result.outcome
}

function seenIn(exchanges: readonly Exchange[]) {
  const last = new Map(exchanges.map(({ message, response }) => [message, response]))
  return [...last].map(([message, { status, bytes }]) => ({ message, status, document: parsed(bytes) }))
}

type Result = SubmitOutcome | RailOutcome | AccountHolder

/** Fails if a result claims more than the responses support. */
function checkOutcome(
  { pageOrigin }: Pick<RailFuzz, 'pageOrigin'>,
  result: Result,
  supported: Supported,
  because: string,
): void {
  const { outcome } = result
  const reason = `${shownValue(result)} is not supported by: ${because}`
  if (outcome === 'unknown') return
  const says = supported[outcome]
  assert.ok(outcome === 'done' || outcome === 'found' ? says !== undefined : says === true, reason)
  if (outcome === 'found') assert.equal(result.isActive, supported.found, reason)
  if (outcome === 'done') {
    const money =
      result.amount === undefined ? 'unstated' : { amount: result.amount, currency: result.currency }
    assert.deepEqual(money, supported.done, reason)
  }
  if ('redirectUrl' in result) assert.equal(URL.parse(result.redirectUrl ?? '')?.origin, pageOrigin, reason)
}

async function fuzzReports(fuzz: RailFuzz, report: FuzzReport, connector: Connector): Promise<string[]> {
  const outcomes = new Set<string>()
  const vocabulary = vocabularyOf(report.documents, fuzz.words)
  const reports = fc.record({
    document: fc.constantFrom(...report.documents),
    mutations: mutationsWith(vocabulary),
    text: damage,
    signs: fc.constantFrom('what came', 'what came', 'something else', 'nothing'),
  })
  const read = (bytes: Buffer, signed: Buffer | undefined) => {
    const received = report.received(bytes, signed)
    const result = connector.readReport?.(received)
    assert.ok(result)
    const isProved = report.isProved?.(bytes, signed) ?? signed?.equals(bytes) === true
    const because = `${bytes} signed as ${signed ?? 'nothing'}`
    if (!isProved) return assert.equal(result.isAuthentic, false, because)
    const names = [result.reference, result.providerReference]
    if (!result.isAuthentic || !names.includes(report.named ?? ours.reference)) return
    for (const kind of ['collect', 'disburse', 'refund'] satisfies RailKind[]) {
      const verdict = result.verdictOn?.(kind)
      if (!verdict) continue
      checkOutcome(fuzz, verdict, report.supported(parsed(bytes), kind), `${kind} by ${because}`)
      outcomes.add(`${kind} ${verdict.outcome}`)
    }
  }
  for (const document of report.documents) {
    const bytes = Buffer.from(JSON.stringify(document))
    read(bytes, bytes)
  }
  fc.assert(
    fc.property(reports, ({ document, mutations, text, signs }) => {
      const bytes = damaged(mutated(document, mutations), text)
      const genuine = Buffer.from(JSON.stringify(document))
      const signed = { 'what came': bytes, 'something else': genuine, nothing: undefined }
      read(bytes, signed[signs as keyof typeof signed])
    }),
    { ...runs, includeErrorInReport: true },
  )
  return [...outcomes].toSorted()
}

/** Parses JSON; returns an object without fields if it is invalid. */
function parsed(bytes: Buffer): SeenDocument {
  try {
    return JSON.parse(bytes.toString()) ?? {}
  } catch {
    return {}
  }
}

const shownValue = (value: unknown) =>
  JSON.stringify(value, (_key, each) => (typeof each === 'bigint' ? `${each}n` : each))

const shownExchanges = (exchanges: readonly Exchange[]) =>
  exchanges.map(({ message, response }) => `${message}: ${shown(response)}`).join('\n')
