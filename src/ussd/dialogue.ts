import { payCode } from '../payment-codes/paying.ts'
import { type DialledCode, findDialledCode } from '../payment-codes/payment-codes.ts'
import { createBatches } from '../platform/batches.ts'
import type { Database, Tx } from '../platform/db/database.ts'
import type { Platform } from '../platform/platform.ts'
import { toGsm7 } from './gsm7.ts'
import { createLooks } from './looks.ts'
import { type NetworkParts, providerOf } from './networks.ts'
import { type Phone, updateLanguage } from './phone-store.ts'
import { codesLockedForMs, countWrongCode, dialOtp, languageOf } from './phones.ts'
import { end, lockedOutText } from './screens.ts'
import {
  answerTo,
  correctTurn,
  keepTurns,
  type Reply,
  type Session,
  type SessionKey,
  selectSession,
  type TakenTurn,
} from './session-store.ts'
import { texts } from './texts.ts'
import { type Look, showBill, type Turn, takeTurn } from './turns.ts'

export type DialogueParts = Platform & NetworkParts

/** One step of a phone's dialogue, whatever the aggregator's protocol. */
export type Step = SessionKey & {
  /** The aggregator's word for the phone's network. */
  network: string
  /** The digits of the code that was dialled, as far as the phone has told any. */
  number: string | undefined
  /** What the phone entered last. */
  input: string
  /** Names the step in its session: a repeated delivery has the same. */
  step: string
}

/**
 * Answers steps. An answer is kept in the transaction that does what the step asks for, so that a step which is
 * delivered again, late, or twice at once does nothing and gets the same answer, from whatever node.
 */
export function createDialogue(parts: DialogueParts): (step: Step) => Promise<Reply> {
  const { db } = parts
  const see = createLooks(db)
  const keep = createKeeping(db)
  return async (step) => {
    const { session, phone, dialled } = await see(step)
    const answered = answerTo(session, step.step)
    if (answered) return answered
    const look = lookOf(parts, step, session, phone, dialled)
    const turn = takeTurn(look, session, step)
    const reply = turn.does
      ? await db.transaction((tx) => carryOut(tx, parts, step, session, look, turn))
      : (await keep({ key: step, session: after(session, step, turn) })) && turn.reply
    if (reply) return reply
    // Another delivery was first.
    const taken = await selectSession(db, step)
    return answerTo(taken, step.step) ?? end(texts[look.language].over)
  }
}

/** Keeps turns that ask for nothing; those that come at the same time share a transaction. */
function createKeeping(db: Database): (taken: TakenTurn) => Promise<boolean> {
  const turns = createBatches<TakenTurn, boolean>({
    run: async (taken) => {
      const first = new Map(taken.map((turn) => [nameOf(turn), turn] as const).toReversed())
      const distinct = [...first.values()]
      const kept = await db.transaction((tx) => keepTurns(tx, distinct))
      const isKept = new Map(distinct.map((turn, i) => [turn, kept[i]!]))
      return taken.map((turn) => ({ answer: isKept.get(turn) ?? false }))
    },
  })
  return (taken) => turns.submit('', taken)
}

/** Deliveries of one session have one name; of those that come at once only the first takes its turn. */
const nameOf = ({ key }: TakenTurn) =>
  JSON.stringify([key.environment, key.aggregator, key.sessionId, key.phoneNumber])

function lookOf(
  parts: DialogueParts,
  step: Step,
  session: Session | undefined,
  phone: Phone | undefined,
  dialled: DialledCode | undefined,
): Look {
  return {
    phoneNumber: step.phoneNumber,
    language: session?.language ?? languageOf(phone, step),
    lockedOutMs: codesLockedForMs(parts.settings, phone),
    dialled,
    provider: dialled && providerFor(parts, step, dialled),
    now: dialled ? parts.clock.now(dialled.scope) : new Date(),
  }
}

const providerFor = (parts: DialogueParts, step: Step, { code }: DialledCode) =>
  providerOf(parts, { environment: step.environment, ...code }, step)

/** Keeps the turn and does what it asks for; nothing when another delivery of the step was first. */
async function carryOut(
  tx: Tx,
  parts: DialogueParts,
  step: Step,
  session: Session | undefined,
  look: Look,
  turn: Turn,
): Promise<Reply | undefined> {
  const [isMine] = await keepTurns(tx, [{ key: step, session: after(session, step, turn) }])
  if (!isMine) return undefined
  const outcome = await perform(tx, parts, step, look, turn)
  if (outcome !== turn) await correctTurn(tx, step, after(session, step, outcome))
  return outcome.reply
}

function after(session: Session | undefined, { number, step }: Step, turn: Turn): Session {
  const { stage, amount, language, reply } = turn
  return {
    stage,
    number: number ?? session?.number ?? null,
    amount,
    language,
    answers: { ...session?.answers, [step]: reply },
    turns: (session?.turns ?? 0) + 1,
  }
}

/** Answers the same turn, or another one where things turn out otherwise. */
async function perform(tx: Tx, parts: DialogueParts, step: Step, look: Look, turn: Turn): Promise<Turn> {
  switch (turn.does) {
    case 'count-wrong-code':
      await countWrongCode(tx, parts, step)
      return turn
    case 'keep-language':
      await updateLanguage(tx, step.environment, step.phoneNumber, turn.language)
      return turn
    case 'dial-otp':
      return { ...turn, reply: await verify(tx, parts, step, turn) }
    case 'pay':
      return pay(tx, parts, step, look, turn)
    default:
      return turn
  }
}

async function verify(tx: Tx, parts: DialogueParts, step: Step, { language }: Turn): Promise<Reply> {
  const words = texts[language]
  const dial = await dialOtp(tx, parts, step, step.number!)
  switch (dial.is) {
    case 'verified':
      return end(toGsm7(dial.otp.verificationMessage ?? '') || words.verified)
    case 'wrong':
      return end(words.notValid)
    case 'locked-out':
      return end(lockedOutText(language, dial.leftMs))
  }
}

/** The payer confirmed. The moment of confirming decides whether the code is still open. */
async function pay(tx: Tx, parts: DialogueParts, step: Step, look: Look, turn: Turn): Promise<Turn> {
  const { scope, code } = look.dialled!
  const { phoneNumber } = step
  const payer = { phoneNumber, providerId: look.provider!.providerId, amount: turn.amount! }
  const now = parts.clock.now(scope)
  const paid = await payCode(tx, parts, scope, code.id, payer, now)
  const words = texts[turn.language]
  switch (paid) {
    case 'busy':
      return { ...turn, reply: end(words.busy) }
    case 'over':
    case 'disabled':
      return { ...turn, reply: end(words.notValid) }
    case 'changed': {
      // The payer is shown what it is now, and asked again.
      const dialled = await findDialledCode(tx, step.environment, code.number)
      return showBill({ ...look, dialled, now, provider: dialled && providerFor(parts, step, dialled) })
    }
    default:
      return turn
  }
}
