import { randomInt, randomUUID } from 'node:crypto'
import type { ClientConfig } from 'pg'
import { Client } from 'undici'
import { onTask } from './children.ts'
import { type Codes, codeNumber } from './codes.ts'
import { keepPace, type Pace, type Submit } from './pace.ts'
import { openWatch } from './watch.ts'

// Phones that dial, in their own process. Each worker runs one dialogue after another. One `submit` is one step
// or, for paying dialogues, the whole dialogue and its payment, timed from the confirmation.

export type DialsTask = {
  connection: ClientConfig
  origin: string
  /** Path at `origin` to which the gateway sends its requests. */
  path: string
  /** Each dialogue dials a random code or, if it pays, a new one. */
  codes: Codes
  pays: boolean
  pace: Pace
}

const lookEveryMs = 20

// every space: codes of any Space
const paid = `select of_number.number as key from payment_code_numbers of_number
  join payment_codes code on code.space_id = of_number.space_id and code.environment = of_number.environment
    and code.id = of_number.payment_code_id
  where of_number.number = any($1::text[]) and code.status = 'completed'`

/** A prime, so that each code is dialled once and consecutive codes belong to different shops. */
const stride = 7919

type Dialogue = { sessionId: string; phoneNumber: string; serviceCode: string }

onTask<DialsTask>(async (task, tell) => {
  const clients = Array.from({ length: task.pace.lanes }, () => new Client(task.origin, { pipelining: 1 }))
  const dialogues = new Map<number, Dialogue>()
  const { first, count } = task.codes
  let dialled = 0

  const post = async (lane: number, { sessionId, phoneNumber, serviceCode }: Dialogue, text: string) => {
    const form = new URLSearchParams({ sessionId, serviceCode, phoneNumber, networkCode: '61901', text })
    const { statusCode, body } = await clients[lane]!.request({
      method: 'POST',
      path: task.path,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: form.toString(),
    })
    const shown = await body.text()
    if (statusCode !== 200) throw new Error(`returned ${statusCode}: ${shown.slice(0, 300)}`)
    return shown
  }
  const expect = (shown: string, expected: RegExp) => {
    if (!expected.test(shown)) throw new Error(`showed ${JSON.stringify(shown)}`)
  }
  const dial = async (lane: number, code: number) => {
    const dialogue = {
      sessionId: `ATUid_${randomUUID()}`,
      phoneNumber: newPhone(),
      serviceCode: `*715*${codeNumber(code)}#`,
    }
    expect(await post(lane, dialogue, ''), /^CON Country cloth\n/)
    return dialogue
  }
  const step = async (lane: number) => {
    const underWay = dialogues.get(lane)
    if (!underWay) return void dialogues.set(lane, await dial(lane, first + randomInt(count)))
    dialogues.delete(lane)
    expect(await post(lane, underWay, '2'), /^END Cancelled/)
  }
  const watch = await openWatch(task.connection, lookEveryMs, paid)
  const pay: Submit = async (lane, begun) => {
    const code = first + ((dialled++ * stride) % count)
    const dialogue = await dial(lane, code)
    begun()
    expect(await post(lane, dialogue, '1'), /^END .* PIN /)
    await watch.of(codeNumber(code))
  }
  const figures = await keepPace(task.pays ? pay : step, task.pace, {
    begins: () => tell({ kind: 'begins' }),
    ends: () => tell({ kind: 'ends' }),
  })
  await tell({ kind: 'measured', figures })
  await watch.close()
})

/** Avoids the last three digits for which the simulator has special outcomes. */
const newPhone = () => `+23276${String(randomInt(1000)).padStart(3, '0')}${randomInt(100, 1000)}`
