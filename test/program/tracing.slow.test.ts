import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { call, makeDatabase, makeShop, order, startProgram, waitUntil } from '../support/program.ts'
import { startTraceReceiver } from '../support/trace-receiver.ts'

const { url: DATABASE_URL } = await makeDatabase()
const receiver = await startTraceReceiver()
after(() => receiver.close())

/** Reports on standard error when the process loads OpenTelemetry. The metrics' library always loads its empty API. */
const watch = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module'
  registerHooks({ load(url, context, next) {
    if (/@opentelemetry\\/(?!api\\/)/.test(url)) process.stderr.write('loads ' + url + '\\n')
    return next(url, context)
  } })`)}`
const options = { nodeFlags: ['--import', watch] }

test('a node without OTEL_EXPORTER_OTLP_ENDPOINT does not even load OpenTelemetry', async () => {
  const node = await startProgram(['serve', '--work'], { DATABASE_URL }, options)
  const shop = await makeShop({ DATABASE_URL }, node.baseUrl)
  assert.equal((await call(shop, 'POST', '/v1/checkout-sessions', order(500))).status, 200)
  const { stderr } = await node.stop('SIGTERM')
  assert.doesNotMatch(stderr, /loads|traceId/)
})

test('with tracing, log lines have the id of their trace, and a receiver that hangs does not delay the exit', async () => {
  const settings = {
    DATABASE_URL,
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_TRACES_SAMPLER_ARG: '1',
    LOG_LEVEL: 'info',
  }
  const node = await startProgram(['serve', '--work'], settings, options)
  assert.match(node.stderr(), /loads .*exporter-trace-otlp-http/)
  const shop = await makeShop({ DATABASE_URL }, node.baseUrl)
  await call(shop, 'POST', '/v1/checkout-sessions', order(500))
  const { traceId, spanId } = await waitUntil(node, () =>
    node
      .stderr()
      .split('\n')
      .filter((line) => line.startsWith('{') && line.includes('"route":"/v1/checkout-sessions"'))
      .map((line) => JSON.parse(line))
      .at(0),
  )
  const span = await receiver.take((all) => all.find((one) => one.spanId === spanId))
  assert.equal(span.traceId, traceId)
  assert.equal(span.name, 'POST /v1/checkout-sessions')

  receiver.answer = 'never'
  const before = receiver.texts.length
  await call(shop, 'POST', '/v1/checkout-sessions', order(500))
  await waitUntil(node, () => receiver.texts.length > before)
  await call(shop, 'POST', '/v1/checkout-sessions', order(500))
  // A process that does not end within 25 s of the signal ends with exit code 1.
  const { code } = await node.stop('SIGTERM')
  assert.equal(code, 0)
})
