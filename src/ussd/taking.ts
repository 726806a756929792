import { type Confirmation, isRefused, payCodes, type Refused } from '../payment-codes/paying.ts'
import { findDialledCode } from '../payment-codes/payment-codes.ts'
import { createBatches, laneOf } from '../platform/batches.ts'
import type { Tx } from '../platform/db/database.ts'
import { wholeMinutes } from '../platform/duration.ts'
import { must, only } from '../platform/must.ts'
import { toGsm7 } from './gsm7.ts'
import { providerFor } from './networks.ts'
import { updateLanguage } from './phone-store.ts'
import { countWrongCode, dialOtp } from './phones.ts'
import { end, lockedOutText } from './screens.ts'
import { correctTurn, keepTurns, type Reply, type Session } from './session-store.ts'
import type { DialogueParts, Step } from './step.ts'
import { texts } from './texts.ts'
import { type Look, showBill, type Turn } from './turns.ts'

/** A turn that was decided, and all that it was decided from. */
export type Decided = { step: Step; session: Session | undefined; look: Look; turn: Turn }

/**
 * Takes turns: keeps what is answered, in the transaction that does what the turn asks for. Answers nothing when another
 * delivery of the step was first. Turns that come at the same time share a transaction: those that ask for nothing, and
 * those that pay, in whatever Spaces.
 */
export function createTaking(parts: DialogueParts): (decided: Decided) => Promise<Reply | undefined> {
  const { db } = parts
  const plain = createBatches<Decided, Reply | undefined>({
    run: (all) => db.transaction((tx) => takeEach(tx, all, async (mine) => mine.map(({ turn }) => turn))),
  })
  const paying = createBatches<Decided, Reply | undefined>({
    run: (all, bounds) =>
      db.transaction((tx) => takeEach(tx, all, (mine) => payEach(tx, parts, mine)), bounds),
    partOf: ({ look }) => laneOf(dialledOf(look).scope),
    observe: (size) => parts.metrics.batchSizes.observe({ command: 'ussd.pay' }, size),
  })
  return async (decided) => {
    const { step, turn } = decided
    if (!turn.does) return plain.submit('', decided)
    if (turn.does === 'pay') return paying.submit(step.environment, decided)
    const outcomes = await db.transaction((tx) =>
      takeEach(tx, [decided], async () => [await perform(tx, parts, decided)]),
    )
    return only(outcomes).answer
  }
}

/** Keeps the turns, does those that are taken now, and corrects what turned out otherwise. */
async function takeEach(tx: Tx, all: Decided[], work: (mine: Decided[]) => Promise<Turn[]>) {
  const first = firstOfEach(all)
  const isKept = await keepTurns(
    tx,
    first.map((decided) => ({ key: decided.step, session: after(decided, decided.turn) })),
  )
  const mine = first.filter((_, i) => isKept[i])
  const turns = mine.length > 0 ? await work(mine) : []
  const replies = new Map<Decided, Reply>()
  for (const [i, decided] of mine.entries()) {
    const turn = must(turns[i], 'turn that was done')
    if (turn !== decided.turn) await correctTurn(tx, decided.step, after(decided, turn))
    replies.set(decided, turn.reply)
  }
  return all.map((decided) => ({ answer: replies.get(decided) }))
}

/** Of deliveries of one session that come at once, only the first takes its turn. */
function firstOfEach(all: Decided[]): Decided[] {
  const named = all.map((decided) => {
    const { environment, aggregator, sessionId, phoneNumber } = decided.step
    return [JSON.stringify([environment, aggregator, sessionId, phoneNumber]), decided] as const
  })
  return [...new Map(named.toReversed()).values()]
}

/** The session once the turn is taken. */
function after({ session, step }: Decided, { stage, amount, language, reply }: Turn): Session {
  return {
    stage,
    number: step.number ?? session?.number ?? null,
    amount,
    language,
    answers: { ...session?.answers, [step.step]: reply },
    turns: (session?.turns ?? 0) + 1,
  }
}

/** The code of a look that led to it. */
const dialledOf = ({ dialled }: Look) => must(dialled, 'code that was dialled')

/** Payers of one environment confirmed. The moment of confirming decides whether a code is still open. */
async function payEach(tx: Tx, parts: DialogueParts, all: Decided[]): Promise<Turn[]> {
  const confirmations = all.map(({ step, look, turn }): Confirmation => {
    const { scope, code } = dialledOf(look)
    const { phoneNumber } = step
    const { providerId } = must(look.provider, 'provider of a phone that pays')
    const payer = { phoneNumber, providerId, amount: must(turn.amount, 'amount that was confirmed') }
    return { scope, codeId: code.id, payer, at: parts.clock.now(scope) }
  })
  const paid = await payCodes(tx, parts, must(all[0], 'turn in a batch').step.environment, confirmations)
  const turns: Turn[] = []
  for (const [i, decided] of all.entries()) {
    const outcome = must(paid[i], 'outcome of a confirmation')
    turns.push(isRefused(outcome) ? await refused(tx, parts, decided, outcome) : decided.turn)
  }
  return turns
}

async function refused(
  tx: Tx,
  parts: DialogueParts,
  { step, look, turn }: Decided,
  why: Refused,
): Promise<Turn> {
  const words = texts[turn.language]
  if (typeof why === 'object')
    return { ...turn, reply: end(words.askedOften(wholeMinutes(why.askedOftenForMs))) }
  if (why === 'busy') return { ...turn, reply: end(words.busy) }
  if (why !== 'changed') return { ...turn, reply: end(words.notValid) }
  // The payer is shown what it is now, and asked again.
  const { scope, code } = dialledOf(look)
  const now = parts.clock.now(scope)
  const dialled = await findDialledCode(tx, step.environment, code.number)
  return showBill({ ...look, dialled, now, provider: dialled && providerFor(parts, step, dialled) })
}

async function perform(tx: Tx, parts: DialogueParts, { step, turn }: Decided): Promise<Turn> {
  switch (turn.does) {
    case 'count-wrong-code':
      await countWrongCode(tx, parts, step)
      return turn
    case 'keep-language':
      await updateLanguage(tx, step.environment, step.phoneNumber, turn.language)
      return turn
    default:
      return { ...turn, reply: await verify(tx, parts, step, turn) }
  }
}

async function verify(tx: Tx, parts: DialogueParts, step: Step, { language }: Turn): Promise<Reply> {
  const words = texts[language]
  const dial = await dialOtp(tx, parts, step, must(step.number, 'number that was dialled'))
  switch (dial.is) {
    case 'verified':
      return end(toGsm7(dial.otp.verificationMessage ?? '') || words.verified)
    case 'wrong':
      return end(words.notValid)
    case 'locked-out':
      return end(lockedOutText(language, dial.leftMs))
  }
}
