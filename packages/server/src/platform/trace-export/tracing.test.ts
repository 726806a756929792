import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../../../../test/support/harness.ts'
import { startTraceReceiver } from '../../../../../test/support/trace-receiver.ts'
import { createLog } from '../log.ts'
import { createMetrics } from '../metrics.ts'
import { Refusal } from '../refusals.ts'
import { inTrace } from '../tracing/spans.ts'
import { traceOfObject } from '../tracing/trace-ids.ts'
import { openTracing } from './tracing.ts'

async function open(ratio = 1) {
  const receiver = await startTraceReceiver()
  const lines: string[] = []
  const note = (...[, text]: unknown[]) => void lines.push(String(text))
  const log = { ...createLog('silent'), warn: note as ReturnType<typeof createLog>['warn'] }
  const metrics = createMetrics()
  const tracing = await openTracing(
    { log, metrics },
    { endpoint: receiver.url, headers: undefined, ratio, incoming: 'ignore', node: 7, everyMs: 20 },
  )
  return {
    receiver,
    lines,
    tracing,
    /** Records a trace with this name. */
    record: (name: string, work = async () => {}) => inTrace(tracing, () => ({ name }), work),
    count: async (outcome: string) =>
      (await metrics.spans.get()).values.find(({ labels }) => labels.outcome === outcome)?.value ?? 0,
    async [Symbol.asyncDispose]() {
      receiver.hangUp()
      await tracing.stop()
      await receiver.close()
    },
  }
}

test('a trace that is not sampled is exported if something failed, unless that was a refusal', async () => {
  await using t = await open(0)
  const failing = (error: Error) => async () => {
    throw error
  }
  await t.record('fine')
  await t.record('refused', failing(new Refusal('not_found'))).catch(() => {})
  await t.record('unavailable', failing(new Refusal('service_unavailable'))).catch(() => {})
  await t.record('broken', failing(new TypeError('+23276123456'))).catch(() => {})
  const spans = await t.receiver.take((all) => all.length > 0 && all)
  assert.deepEqual(
    spans.map(({ name, status, attributes }) => [name, status.code, attributes['error.type']]),
    [
      ['unavailable', 2, 'service_unavailable'],
      ['broken', 2, 'TypeError'],
    ],
  )
})

test('all parts of the trace of an object are sampled alike', async () => {
  await using t = await open(0.5)
  const ids = Array.from({ length: 200 }, (_, i) => `pay-${i}`)
  for (const id of [...ids, ...ids])
    await inTrace(
      t.tracing,
      () => ({ name: id, about: id }),
      async () => {},
    )
  const spans = await t.receiver.take((all) => all.length > 0 && all)
  const times = Map.groupBy(spans, ({ traceId }) => traceId)
  assert.ok(times.size > 60 && times.size < 140, String(times.size))
  for (const parts of times.values()) assert.equal(parts.length, 2)
  for (const { name, traceId } of spans) assert.equal(traceId, traceOfObject(name).traceId)
})

test('a trace that a caller began keeps its id, and the flag of the caller decides whether it is exported', async () => {
  await using t = await open(1)
  const caller = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7']
  for (const [name, flags] of [
    ['unsampled', '00'],
    ['sampled', '01'],
  ] as const)
    await inTrace(
      t.tracing,
      () => ({ name, parent: `00-${caller.join('-')}-${flags}` }),
      async () => {},
    )
  const [span, another] = await t.receiver.take((all) => all.length > 0 && all)
  assert.deepEqual([span?.name, span?.traceId, span?.parentSpanId], ['sampled', ...caller])
  assert.equal(another, undefined)
})

test('a receiver that is down costs a limited amount of memory and one line in the log', async () => {
  await using t = await open()
  t.receiver.answer = 400
  await t.record('lost')
  await until(async () => (await t.count('failed')) === 1)
  await t.record('lost, too')
  await until(async () => (await t.count('failed')) === 2)
  for (let i = 0; i < 12_000; i++) await t.record('flood')
  assert.ok((await t.count('dropped')) >= 2_000)
  t.receiver.answer = 200
  await until(async () => (await t.count('exported')) > 0)
  assert.deepEqual(t.lines, ['failed to export traces; spans are dropped', 'traces are exported again'])
})

test('a shutdown exports the spans that are still waiting', async () => {
  await using t = await open()
  await t.receiver.take(() => true)
  for (let i = 0; i < 700; i++) await t.record('last')
  await t.tracing.stop()
  assert.equal(t.receiver.spans.length, 700)
})
