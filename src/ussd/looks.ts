import { type DialledCode, findDialledCodes } from '../payment-codes/payment-codes.ts'
import { createBatches } from '../platform/batches.ts'
import type { Database } from '../platform/db/database.ts'
import { must } from '../platform/must.ts'
import type { Environment } from '../platform/scope.ts'
import { type Phone, selectPhones } from './phone-store.ts'
import { type Session, selectSessions } from './session-store.ts'
import type { Step } from './step.ts'

/** What is known when a step comes. */
export type Seen = {
  session: Session | undefined
  phone: Phone | undefined
  dialled: DialledCode | undefined
}

/** Looks up what steps need; those that come at the same time share the queries, each along a primary key. */
export function createLooks(db: Database): (step: Step) => Promise<Seen> {
  const looks = createBatches<Step, Seen>({
    run: async (steps) => (await lookAll(db, steps)).map((answer) => ({ answer })),
  })
  return (step) => looks.submit(step.environment, step)
}

/** All of one environment. */
async function lookAll(db: Database, steps: Step[]): Promise<Seen[]> {
  const { environment } = must(steps[0], 'step in a batch')
  const [sessions, phones, codes] = await Promise.all([
    selectSessions(db, steps),
    selectPhones(db, environment, [...new Set(steps.map(({ phoneNumber }) => phoneNumber))]),
    findCodes(
      db,
      environment,
      steps.map(({ number }) => number),
    ),
  ])
  // Where an aggregator tells the digits only once, the session has kept them.
  const kept = await findCodes(
    db,
    environment,
    steps.map(({ number }, i) => (number === undefined ? sessions[i]?.number : undefined)),
  )
  return steps.map(({ phoneNumber, number }, i) => {
    const digits = number ?? sessions[i]?.number ?? ''
    return {
      session: sessions[i],
      phone: phones.get(phoneNumber),
      dialled: codes.get(digits) ?? kept.get(digits),
    }
  })
}

function findCodes(db: Database, environment: Environment, numbers: (string | null | undefined)[]) {
  const codes = numbers.map(String).filter((number) => /^[0-9]{10}$/.test(number))
  return findDialledCodes(db, environment, [...new Set(codes)])
}
