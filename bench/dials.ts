import { randomInt, randomUUID } from 'node:crypto'
import { Client } from 'undici'
import { onTask } from './children.ts'
import { codeNumber } from './codes.ts'
import { keepPace, type Pace } from './pace.ts'

// Phones that dial, as a process of its own. Each lane leads one dialogue after the other; one `submit` is one step.

export type DialsTask = {
  origin: string
  /** The gateway's address on that origin. */
  path: string
  /** Codes there are; each dialogue dials one at random, or, where it pays, the next from `firstCode` on. */
  codes: number
  firstCode: number
  pays: boolean
  pace: Pace
}

type Dialogue = { sessionId: string; phoneNumber: string; serviceCode: string }

onTask<DialsTask>(async (task, tell) => {
  const clients = Array.from({ length: task.pace.lanes }, () => new Client(task.origin, { pipelining: 1 }))
  const dialogues = new Map<number, Dialogue>()
  let nextCode = task.firstCode

  const post = async (lane: number, { sessionId, phoneNumber, serviceCode }: Dialogue, text: string) => {
    const form = new URLSearchParams({ sessionId, serviceCode, phoneNumber, networkCode: '61901', text })
    const { statusCode, body } = await clients[lane]!.request({
      method: 'POST',
      path: task.path,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: form.toString(),
    })
    const shown = await body.text()
    if (statusCode !== 200) throw new Error(`answered ${statusCode}: ${shown.slice(0, 300)}`)
    return shown
  }
  const expect = (shown: string, expected: RegExp) => {
    if (!expected.test(shown)) throw new Error(`showed ${JSON.stringify(shown)}`)
  }
  const submit = async (lane: number) => {
    const underWay = dialogues.get(lane)
    if (underWay) {
      dialogues.delete(lane)
      const shown = await post(lane, underWay, task.pays ? '1' : '2')
      return expect(shown, task.pays ? /^END .* PIN / : /^END Cancelled/)
    }
    const code = task.pays ? nextCode++ : randomInt(task.codes)
    const dialogue = {
      sessionId: `ATUid_${randomUUID()}`,
      phoneNumber: newPhone(),
      serviceCode: `*715*${codeNumber(code)}#`,
    }
    expect(await post(lane, dialogue, ''), /^CON Country cloth\n/)
    dialogues.set(lane, dialogue)
  }
  const figures = await keepPace(submit, task.pace, {
    begins: () => tell({ kind: 'begins' }),
    ends: () => tell({ kind: 'ends' }),
  })
  await tell({ kind: 'measured', figures })
})

/** Its last three digits are none of those that the simulator gives another ending. */
const newPhone = () => `+23276${String(randomInt(1000)).padStart(3, '0')}${randomInt(100, 1000)}`
