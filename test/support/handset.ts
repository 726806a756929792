import { randomUUID } from 'node:crypto'
import { testGatewaySecret } from '../../packages/server/src/ways-to-pay/ussd/test-gateway.ts'
import type { TestApp } from './harness.ts'

export type Shown = { status: number; ends: boolean; text: string }

export type Handset = {
  /** Dials the service code, or `code`, such as `*715*…#`. */
  dial(code?: string): Promise<Shown>
  /** Enters an answer in the menu. */
  enter(input: string): Promise<Shown>
  /** Delivers the last step again. */
  repeat(): Promise<Shown>
}

/** Posts a form to the test environment's gateway, as Africa's Talking does. */
export async function postStep(t: TestApp, form: Record<string, string>, secret?: string): Promise<Shown> {
  const url = `${t.baseUrl}/ussd/africastalking/${secret ?? testGatewaySecret(t.app.parts.seals)}`
  const answer = await fetch(url, { method: 'POST', body: new URLSearchParams(form) })
  const body = await answer.text()
  return { status: answer.status, ends: body.startsWith('END '), text: body.replace(/^(CON|END) /, '') }
}

/** Creates a phone that dials using the gateway's protocol. */
export function createHandset(t: TestApp, phoneNumber = '+23276123456', networkCode = '61901'): Handset {
  let form = { sessionId: '', serviceCode: '', phoneNumber, networkCode, text: '' }
  const send = () => postStep(t, form)
  return {
    dial(code = '') {
      form = { ...form, sessionId: `ATUid_${randomUUID()}`, serviceCode: code || '*715#', text: '' }
      return send()
    },
    enter(input) {
      form = { ...form, text: form.text === '' ? input : `${form.text}*${input}` }
      return send()
    },
    repeat: send,
  }
}
