import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import { must } from '@pesewa/values'
import { importStatement } from '../../../../packages/server/src/finance/reconciliation/imports.ts'
import { readMapping } from '../../../../packages/server/src/finance/reconciliation/mapping.ts'
import { matchStatements } from '../../../../packages/server/src/finance/reconciliation/matching.ts'
import { reportOn } from '../../../../packages/server/src/finance/reconciliation/report.ts'
import { fetchStatement } from '../../../../packages/server/src/rails/connections/rail-statements.ts'
import { findReconciled } from '../../../../packages/server/src/slices.ts'
import { billUrls } from '../../../../packages/server/src/ways-to-pay/bill-payments/addresses.ts'
import { startTestApp, until } from '../../../support/harness.ts'
import { createPayer } from '../../../support/payer.ts'
import { createCodes } from '../../../support/payment-code.ts'

const rail = createManualClock()
const t = await startTestApp({ app: { simulatorClock: rail } })
const folder = mkdtempSync(path.join(tmpdir(), 'pesewa-test-mpesa-statement-'))
after(async () => {
  await t.close()
  rmSync(folder, { recursive: true })
})
const { db, connectors, ...parts } = t.app.parts
const extent = { providerId: 'mpesa-ke', environment: 'test' } as const
const openCode = createCodes(t, rail)

const dial = (...inputs: string[]) =>
  fetch(`${t.baseUrl}/simulator/handsets/dial`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ providerId: 'mpesa-ke', number: '+254708374149', code: '*334#', inputs }),
  })

test('M-Pesa’s pulled transactions reconcile prompted and manual payments', async () => {
  const connector = must(connectors.findConnector('mpesa-ke', 'test'), 'connector')
  const place = { environment: 'test', connection: 'mpesa-ke' } as const
  await must(connector.bills, 'bills').register(billUrls(parts, place))
  const merchant = await t.merchant({ country: 'KE' })
  const lineItems = [{ name: 'Kikoi', price: { currency: 'KES', value: 100_000 } }]
  const order = { name: 'Order 42', lineItems }
  const session = (await merchant.call('POST', '/v1/checkout-sessions', order)).body.result
  await createPayer(session.redirectUrl).pay('mpesa-ke', '0708123456')
  const code = await openCode({ amount: { currency: 'KES', value: 150_000 } }, merchant)
  await dial('600111', code.number, '1500', '1')
  await until(async () => {
    await rail.advance(300)
    const { result } = (await merchant.call('GET', '/v1/payments?status=completed')).body
    return result.length === 2
  })

  const [from, end] = [new Date(rail.now().getTime() - 3_600_000), new Date(rail.now().getTime() + 1_000)]
  const file = path.join(folder, 'pull.csv')
  const request = { currency: 'KES', from, until: end, callbackUrl: 'https://pay.example', file }
  const fetched = await fetchStatement(connector, request)
  assert.equal(fetched.outcome, 'written')
  assert.match(readFileSync(file, 'utf8'), /^transaction,time,amount,account\nSIM/)
  const mappingFile = new URL(
    '../../../../packages/server/src/finance/reconciliation/mappings/mpesa-pull.json',
    import.meta.url,
  )
  const mapping = readMapping(readFileSync(mappingFile, 'utf8'))
  const { newLines } = await importStatement(db, {
    ...extent,
    file,
    mapping,
    from,
    until: end,
    at: rail.now(),
  })
  assert.equal(newLines, 2)
  const reconciled = await findReconciled()
  await matchStatements(db, reconciled, extent)
  const report = await reportOn(db, reconciled, extent, rail.now(), 100)
  assert.deepEqual([report.openItems.items, report.isClean, report.linesMatched], [[], true, 2n])
  assert.deepEqual(report.valueMatched, [{ currency: 'KES', in: 250_000n, out: 0n, net: 250_000n }])

  assert.equal((await fetchStatement(connector, request)).outcome, 'refused')
  const old = { ...request, from: new Date(rail.now().getTime() - 50 * 3_600_000), file: `${file}.old` }
  assert.deepEqual(await fetchStatement(connector, old), {
    outcome: 'refused',
    why: 'M-Pesa lists only the last 48 hours',
  })
})
