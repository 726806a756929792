import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  ask,
  call,
  makeDatabase,
  makeShop,
  order,
  type Program,
  startProgram,
  waitUntil,
} from '../support/program.ts'
import { startTraceReceiver } from '../support/trace-receiver.ts'

const { url: DATABASE_URL, connection } = await makeDatabase()
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

/** Parses the node's log. */
const linesOf = (node: Program) =>
  node
    .stderr()
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line))

test('a node without OTEL_EXPORTER_OTLP_ENDPOINT does not even load OpenTelemetry', async () => {
  const node = await startProgram(['serve', '--work'], { DATABASE_URL }, options)
  const shop = await makeShop({ DATABASE_URL }, node.baseUrl)
  assert.equal((await call(shop, 'POST', '/v1/checkout-sessions', order(500))).status, 200)
  const { stderr } = await node.stop('SIGTERM')
  assert.doesNotMatch(stderr, /loads|traceId/)
})

test('with tracing, log lines have the id of their trace, also those of errors; a receiver that hangs does not delay the exit', async () => {
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
    linesOf(node).find(({ route }) => route === '/v1/checkout-sessions'),
  )
  const span = await receiver.take((all) => all.find((one) => one.spanId === spanId))
  assert.equal(span.traceId, traceId)
  assert.equal(span.name, 'POST /v1/checkout-sessions')

  await ask(
    connection,
    `create function planted() returns trigger language plpgsql as $$
      begin raise exception 'planted' using errcode = 'lock_not_available'; end $$;
    create trigger planted before insert on checkout_sessions execute function planted()`,
  )
  assert.equal((await call(shop, 'POST', '/v1/checkout-sessions', order(500))).status, 503)
  await ask(connection, 'drop trigger planted on checkout_sessions')
  const lines = await waitUntil(node, () => {
    const all = linesOf(node).filter(({ status }) => Number(status) === 503)
    return all.length === 2 && all
  })
  const [failed, request] = lines.toSorted((a, b) => b.level - a.level)
  assert.deepEqual(
    [failed.msg, failed.level, failed.err.code, failed.requestId, failed.traceId],
    ['request failed', 40, '55P03', request.requestId, request.traceId],
  )

  receiver.answer = 'never'
  const before = receiver.texts.length
  await call(shop, 'POST', '/v1/checkout-sessions', order(500))
  await waitUntil(node, () => receiver.texts.length > before)
  await call(shop, 'POST', '/v1/checkout-sessions', order(500))
  // A process that does not end within 25 s of the signal ends with exit code 1.
  const { code } = await node.stop('SIGTERM')
  assert.equal(code, 0)
})
