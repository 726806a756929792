import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { ManualClock } from '@pesewa/connector-kit/simulator'
import { importStatement } from '../../../../packages/server/src/finance/reconciliation/imports.ts'
import { simulatorMapping } from '../../../../packages/server/src/finance/reconciliation/mapping.ts'
import { matchStatements } from '../../../../packages/server/src/finance/reconciliation/matching.ts'
import { reportOn } from '../../../../packages/server/src/finance/reconciliation/report.ts'
import { sql } from '../../../../packages/server/src/platform/db/sql.ts'
import { findReconciled } from '../../../../packages/server/src/slices.ts'
import { type Merchant, type TestApp, until } from '../../../support/harness.ts'
import { createPayer } from '../../../support/payer.ts'

/** A line of a provider's statement. */
export type StatedLine = {
  id: string
  reference: string
  at: Date
  value: number
  way?: 'collection' | 'disbursement'
}

const headings = 'date,reference,external_id,type,amount,currency,account,status,transaction_id'

/** Makes payments through m17 in test, and writes statements that contain them. */
export function createBookkeeping(t: TestApp, rail: ManualClock) {
  const { db } = t.app.parts
  const folder = mkdtempSync(path.join(tmpdir(), 'pesewa-test-statements-'))
  let files = 0
  const extent = { providerId: 'm17', environment: 'test' } as const
  return {
    extent,
    /** Completes a payment, and returns its id and the provider's id of its transaction. */
    async pay(merchant: Merchant, value: number): Promise<{ id: string; reference: string }> {
      const lineItems = [{ name: 'Cloth', price: { currency: 'SLE', value } }]
      const session = (await merchant.call('POST', '/v1/checkout-sessions', { name: 'Order', lineItems }))
        .body.result
      await createPayer(session.redirectUrl).pay('m17', '076 123 456')
      const url = `/v1/payments?orderNumber=${session.orderNumber}`
      const payment = await until(async () => {
        const [found] = (await merchant.call('GET', url)).body.result
        return found?.status === 'completed' ? found : void (await rail.advance(300))
      })
      const { railReference } = await db.only<{ railReference: string }>(sql`
        select rail_reference from payments
        where space_id = ${merchant.scope.spaceId} and environment = 'test' and order_number = ${session.orderNumber}`)
      return { id: payment.id, reference: railReference }
    },
    import(lines: StatedLine[], period: { from?: Date; until?: Date; at?: Date } = {}) {
      const text = lines.map(
        ({ id, reference, at, value, way = 'collection' }) =>
          `${at.toISOString()},${reference},x,${way},${(value / 100).toFixed(2)},SLE,23276123456,SUCCESSFUL,${id}`,
      )
      const file = path.join(folder, `statement-${++files}.csv`)
      writeFileSync(file, `${[headings, ...text].join('\n')}\n`)
      return importStatement(db, { ...extent, file, mapping: simulatorMapping, at: rail.now(), ...period })
    },
    async reconcile() {
      const reconciled = await findReconciled()
      await matchStatements(db, reconciled, extent)
      return reportOn(db, reconciled, extent, rail.now(), 1_000)
    },
    close: () => rmSync(folder, { recursive: true }),
  }
}
