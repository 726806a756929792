import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Connector, Protocol, ReceivedReport } from '@pesewa/connector-kit'
import {
  asMarkdown,
  type CallbackReceiver,
  openTestBench,
  railCases,
  runCases,
  simulatedAccounts,
  startReceiver,
  type TestBench,
} from '@pesewa/connector-kit/conformance'
import { must } from '@pesewa/values'
import type { RailConformance } from '../../test/support/rail-conformance.ts'
import { loadOfRails } from '../../test/support/rails.ts'
import { startTestSimulator, type TestSimulator } from '../../test/support/simulator.ts'
import { loadCatalogue } from '../server/src/rails/connections/catalogue.ts'
import { protocols } from '../server/src/rails/connections/protocols.ts'
import { mpesaDaraja } from './mpesa-daraja/protocol.ts'
import { rest } from './rest/protocol.ts'

let receiver: CallbackReceiver
let rail: TestSimulator
before(async () => {
  receiver = await startReceiver()
  rail = await startTestSimulator({ baseUrl: receiver.url })
})
after(async () => {
  await rail.close()
  receiver.close()
})

const ofRails = await loadOfRails<{ conformance: RailConformance }>('conformance')
const conformanceOf = (name: string) => must(ofRails.get(name), name).conformance

const standOf = async (protocol: Protocol, timeoutMs = 1_000) => {
  const played = loadCatalogue()
    .all()
    .filter((each) => each.protocol === protocol.name)
  const { provider: id, hasNoLatePayer } = conformanceOf(protocol.name)
  const provider = played.find(({ providerId }) => providerId === id) ?? played[0]
  assert(provider, `the simulator has no provider for ${protocol.name}`)
  const place = { simulatorUrl: rail.url, baseUrl: receiver.url, seals: rail.seals }
  const connection = { ...protocol.testConnection(provider, place), protocol: protocol.name }
  const { late, ...paying } = simulatedAccounts(provider.country)
  return openTestBench(protocol, { ...connection, ...protocol.conformance?.simulatedProof }, provider, {
    // Payers who dial or use a page name no account in advance.
    accounts: hasNoLatePayer ? paying : { ...paying, late },
    amount: 15_000n,
    wait: (ms) => rail.clock.advance(ms),
    receiver,
    timeoutMs,
  })
}

const tested = ({ amount, currency }: TestBench, protocol: string) => ({
  rail: 'simulated',
  provider: 'simulated',
  protocol,
  amount: Number(amount),
  currency,
})

for (const protocol of protocols)
  test(`${protocol.name} passes every applicable case`, async () => {
    const stand = await standOf(protocol)
    try {
      const report = await runCases(stand, tested(stand, protocol.name))
      assert(report.ok, asMarkdown(report))
      assert.equal(report.cases.length, 16)
      const omitted = report.cases.flatMap((each) =>
        'why' in each ? [[each.name, `${each.result}: ${each.why}`]] : [],
      )
      assert.deepEqual(Object.fromEntries(omitted), conformanceOf(protocol.name).leftOut)
    } finally {
      await stand.close()
    }
  })

test('a payment that only a report can identify is not tested if no report arrives', async () => {
  const stand = await standOf(mpesaDaraja)
  try {
    const receiver = { of: () => [], onFirst: () => new Promise<never>(() => {}) }
    const report = await runCases({ ...stand, receiver }, tested(stand, 'mpesa-daraja'))
    assert(report.ok, asMarkdown(report))
    const unnamed = report.cases.filter(
      (each) => 'why' in each && /only a report can identify/.test(each.why),
    )
    assert.deepEqual(
      unnamed.map(({ name, result }) => [name, result]),
      [
        ['lost answer', 'not run'],
        ['slow', 'not run'],
      ],
    )
  } finally {
    await stand.close()
  }
})

/** A connector with one defect, and the cases that must detect it. */
const broken: [what: string, brokenBy: (stand: TestBench) => Partial<Connector>, noticedBy: string[]][] = [
  [
    'treats an unclear submit as refused',
    ({ connector }) => ({
      async collect(order) {
        const result = await connector.collect(order)
        return result.outcome === 'unknown' ? refused : result
      },
    }),
    ['lost answer', 'slow', 'garbage', 'redirect elsewhere'],
  ],
  [
    'treats a repeated submit as refused',
    ({ connector }) => {
      const seen = new Set<string>()
      return {
        async collect(order) {
          if (seen.has(order.reference)) return refused
          seen.add(order.reference)
          return connector.collect(order)
        },
      }
    },
    ['repeated submit'],
  ],
  [
    'keeps the first outcome forever',
    ({ connector }) => {
      const first = new Map<string, Awaited<ReturnType<Connector['queryCollection']>>>()
      return {
        async queryCollection(query) {
          const result = first.get(query.reference) ?? (await connector.queryCollection(query))
          if (result.outcome === 'refused') first.set(query.reference, result)
          return result
        },
      }
    },
    ['late success'],
  ],
  [
    'treats a payment reported before the response as refused',
    (stand) => ({
      async collect(order) {
        const result = await stand.connector.collect(order)
        return stand.receiver.of(order.reference).length > 0 ? refused : result
      },
    }),
    ['callback before answer'],
  ],
  [
    'trusts only reports, not queries',
    () => ({ queryCollection: async () => ({ outcome: 'unknown', why: 'no report was read' }) }),
    [
      'repeated submit',
      'commit before answer',
      'lost answer',
      'late success',
      'callback before answer',
      'callback never',
      'missing then found',
      'slow',
    ],
  ],
  [
    'reports the ordered amount instead of the moved one',
    ({ connector }) => ({
      async queryCollection(query) {
        const result = await connector.queryCollection(query)
        return result.outcome === 'done' && result.amount !== undefined
          ? { ...result, amount: query.amount }
          : result
      },
    }),
    ['wrong amount'],
  ],
  [
    'trusts no report',
    ({ connector }) => ({
      readReport: (received: ReceivedReport) => ({ ...connector.readReport?.(received), isAuthentic: false }),
    }),
    ['genuine callback'],
  ],
  [
    'trusts a report only once',
    ({ connector }) => {
      const seen = new Set<string>()
      return {
        readReport(received: ReceivedReport) {
          const text = received.rawBody.toString()
          const isAgain = seen.has(text)
          seen.add(text)
          return isAgain
            ? { isAuthentic: false }
            : (connector.readReport?.(received) ?? { isAuthentic: false })
        },
      }
    },
    ['doubled callback'],
  ],
  [
    'treats a missing reference as a failed payment',
    ({ connector }) => ({
      async queryCollection(query) {
        const result = await connector.queryCollection(query)
        return result.outcome === 'missing' ? refused : result
      },
    }),
    ['missing then found', 'another revision'],
  ],
  [
    'treats an unclear response as missing',
    ({ connector }) => ({
      async queryCollection(query) {
        const result = await connector.queryCollection(query)
        return result.outcome === 'unknown' ? { outcome: 'missing' } : result
      },
    }),
    ['garbage'],
  ],
  [
    'treats a redirect as accepted',
    ({ connector }) => ({
      async collect(order) {
        const result = await connector.collect(order)
        return result.outcome === 'unknown' && result.why === '302' ? { outcome: 'accepted' } : result
      },
    }),
    ['redirect elsewhere'],
  ],
  [
    'ignores the time of a report',
    ({ connector }) => ({
      readReport: ({ receivedAtMs: _, ...received }: ReceivedReport) =>
        connector.readReport?.(received) ?? { isAuthentic: false },
    }),
    ['clock skew'],
  ],
  [
    'trusts every report',
    ({ connector }) => ({
      readReport: (received: ReceivedReport) => ({ ...connector.readReport?.(received), isAuthentic: true }),
    }),
    ['clock skew', 'unauthentic callback'],
  ],
]

const refused = { outcome: 'refused', code: 'unknown', message: 'No.' } as const

for (const [what, brokenBy, noticedBy] of broken)
  test(`a connector that ${what} fails: ${noticedBy.join(', ')}`, async () => {
    const stand = await standOf(rest, 500)
    try {
      const connector = { ...stand.connector, ...brokenBy(stand) }
      const { cases } = await runCases({ ...stand, connector }, tested(stand, 'rest'))
      const failed = cases.filter(({ result }) => result === 'failed').map(({ name }) => name)
      assert.deepEqual(failed, noticedBy)
    } finally {
      await stand.close()
    }
  })

test('each case is failed by at least one broken connector', async () => {
  assert.deepEqual(
    [...new Set(broken.flatMap(([, , noticedBy]) => noticedBy))].toSorted(),
    [...railCases].map(({ name }) => name).toSorted(),
  )
})
