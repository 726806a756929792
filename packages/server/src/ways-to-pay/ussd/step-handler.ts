import { must } from '@pesewa/values'
import { createBatches } from '../../platform/batches.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Environment } from '../../platform/scope.ts'
import { type DialledCode, findDialledCodes } from '../payment-codes/payment-codes.ts'
import { createStepCommit } from './commit-step.ts'
import { type MenuContext, transitionOf } from './menu.ts'
import { chooseUssdProvider } from './networks.ts'
import { type Phone, selectPhones } from './phone-store.ts'
import { codesLockedForMs, languageOf } from './phones.ts'
import { finalReply } from './screens.ts'
import { type Reply, replyTo, selectSession, selectSessions, type UssdSession } from './session-store.ts'
import type { Step, UssdParts } from './step.ts'
import { menuTexts } from './texts.ts'

/**
 * Returns a function that handles steps. Each reply is saved in the transaction that performs its step. A step
 * that is delivered late or more than once, even at the same time, therefore has no further effect and gets the
 * same reply from any node.
 */
export function createStepHandler(parts: UssdParts): (step: Step) => Promise<Reply> {
  const { db } = parts
  // Concurrent steps share their queries.
  const lookups = createBatches<Step, StepRows>({
    run: async (steps) => (await readRows(db, steps)).map((answer) => ({ answer })),
  })
  const commitStep = createStepCommit(parts)
  return async (step) => {
    const rows = await lookups.submit(step.environment, step)
    const { session } = rows
    const saved = replyTo(session, step.step)
    if (saved) return saved
    const context = contextOf(parts, step, rows)
    const reply = await commitStep({
      step,
      session,
      context,
      transition: transitionOf(context, session, step),
    })
    if (reply) return reply
    // Another delivery of the step was first.
    return (
      replyTo(await selectSession(db, step), step.step) ?? finalReply(menuTexts[context.language].menuEnded)
    )
  }
}

/** The rows that are already stored when a step arrives. */
type StepRows = {
  session: UssdSession | undefined
  phone: Phone | undefined
  dialled: DialledCode | undefined
}

/** Returns the rows for steps of one environment. Each row is read by its primary key. */
async function readRows(db: Database, steps: Step[]): Promise<StepRows[]> {
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
  // Some aggregators send the digits only once. For later steps, the digits are taken from the session.
  const savedCodes = await findCodes(
    db,
    environment,
    steps.map(({ number }, i) => (number === undefined ? sessions[i]?.number : undefined)),
  )
  return steps.map(({ phoneNumber, number }, i) => {
    const digits = number ?? sessions[i]?.number ?? ''
    return {
      session: sessions[i],
      phone: phones.get(phoneNumber),
      dialled: codes.get(digits) ?? savedCodes.get(digits),
    }
  })
}

function findCodes(db: Database, environment: Environment, numbers: (string | null | undefined)[]) {
  const codes = numbers.map(String).filter((number) => /^[0-9]{10}$/.test(number))
  return findDialledCodes(db, environment, [...new Set(codes)])
}

const contextOf = (parts: UssdParts, step: Step, { session, phone, dialled }: StepRows): MenuContext => ({
  phoneNumber: step.phoneNumber,
  language: session?.language ?? languageOf(phone, step.phoneNumber),
  lockedOutMs: codesLockedForMs(parts.settings, phone),
  dialled,
  providerChoice: dialled && chooseUssdProvider(parts, step, dialled),
  now: dialled ? parts.clock.now(dialled.scope) : new Date(),
})
