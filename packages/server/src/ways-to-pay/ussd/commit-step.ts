import { must } from '@pesewa/values'
import { batchKeyOf, createBatches, onlyAnswer } from '../../platform/batches.ts'
import type { Tx } from '../../platform/db/database.ts'
import { wholeMinutes } from '../../platform/duration.ts'
import { toGsm7 } from '../../platform/gsm7.ts'
import { type Confirmation, isRefused, payCodes, type Refused } from '../payment-codes/paying.ts'
import { findDialledCode } from '../payment-codes/payment-codes.ts'
import { paySessionCodes } from '../payment-codes/session-codes.ts'
import { type MenuContext, showPaymentDetails, type Transition } from './menu.ts'
import { chooseUssdProvider } from './networks.ts'
import { updateLanguage } from './phone-store.ts'
import { countWrongCode, dialOtp } from './phones.ts'
import { finalReply, lockedOutText } from './screens.ts'
import { correctSession, type Reply, saveSessions, type UssdSession } from './session-store.ts'
import type { Step, UssdParts } from './step.ts'
import { menuTexts } from './texts.ts'

/** A step, the transition decided for it, and the data on which that decision was based. */
type DecidedStep = {
  step: Step
  session: UssdSession | undefined
  context: MenuContext
  transition: Transition
}

/**
 * Returns a function that commits a step. The function performs the step's action and saves the reply in the
 * same transaction. If another delivery of the step was first, the function returns `undefined` instead of the
 * reply. Concurrent steps without an action share a transaction. So do concurrent steps that pay, which may
 * belong to several Spaces.
 */
export function createStepCommit(parts: UssdParts): (decided: DecidedStep) => Promise<Reply | undefined> {
  const { db } = parts
  const plain = createBatches<DecidedStep, Reply | undefined>({
    run: (batch) =>
      db.transaction((tx) =>
        commitSteps(tx, batch, async (claimed) => claimed.map(({ transition }) => transition)),
      ),
  })
  const paying = createBatches<DecidedStep, Reply | undefined>({
    run: (batch, bounds) =>
      db.transaction(
        (tx) => commitSteps(tx, batch, (claimed) => payConfirmedCodes(tx, parts, claimed)),
        bounds,
      ),
    tenantOf: ({ context }) => batchKeyOf(requireDialledCode(context).scope),
    observe: (size) => parts.metrics.batchSizes.observe({ command: 'ussd.pay' }, size),
  })
  return async (decided) => {
    const { step, transition } = decided
    if (!transition.action) return plain.submit('', decided)
    // A batch locks either codes or sessions, so that two batches cannot lock both in opposite orders.
    if (transition.action === 'pay')
      return paying.submit(`${step.environment} ${sessionIdOf(decided) ? 'sessions' : 'codes'}`, decided)
    return onlyAnswer(
      await db.transaction((tx) =>
        commitSteps(tx, [decided], async () => [await performAction(tx, parts, decided)]),
      ),
    )
  }
}

/**
 * Saves the sessions, performs the steps that no other delivery has claimed, and corrects the sessions whose
 * outcome differs from the one that was decided.
 */
async function commitSteps(
  tx: Tx,
  batch: DecidedStep[],
  performAction: (claimed: DecidedStep[]) => Promise<Transition[]>,
) {
  const first = firstDeliveries(batch)
  const isClaimed = await saveSessions(
    tx,
    first.map((decided) => ({ key: decided.step, session: sessionAfter(decided, decided.transition) })),
  )
  const claimed = first.filter((_, i) => isClaimed[i])
  const transitions = claimed.length > 0 ? await performAction(claimed) : []
  const replies = new Map<DecidedStep, Reply>()
  for (const [i, decided] of claimed.entries()) {
    const transition = must(transitions[i], 'transition of a claimed step')
    if (transition !== decided.transition)
      await correctSession(tx, decided.step, sessionAfter(decided, transition))
    replies.set(decided, transition.reply)
  }
  return batch.map((decided) => ({ answer: replies.get(decided) }))
}

/** Returns, for each session, only the first of its concurrent deliveries. */
function firstDeliveries(batch: DecidedStep[]): DecidedStep[] {
  const named = batch.map((decided) => {
    const { environment, aggregator, sessionId, phoneNumber } = decided.step
    return [JSON.stringify([environment, aggregator, sessionId, phoneNumber]), decided] as const
  })
  return [...new Map(named.toReversed()).values()]
}

/** Returns the session as it is after the transition. */
function sessionAfter({ session, step }: DecidedStep, transition: Transition): UssdSession {
  const { stage, amount, language, reply } = transition
  return {
    stage,
    number: step.number ?? session?.number ?? null,
    amount,
    language,
    answers: { ...session?.answers, [step.step]: reply },
    turns: (session?.turns ?? 0) + 1,
  }
}

/** Returns the dialled code, which the context must have. */
const requireDialledCode = ({ dialled }: MenuContext) => must(dialled, 'dialled code')

/** Returns the checkout session that the dialled code pays; null for a code of the merchant. */
const sessionIdOf = ({ context }: DecidedStep) => requireDialledCode(context).code.checkoutSessionId

/**
 * Starts the payments that payers in one environment have confirmed, either all of sessions or all of the merchants'
 * codes. A code can be paid if it was open at the time of the confirmation.
 */
async function payConfirmedCodes(tx: Tx, parts: UssdParts, batch: DecidedStep[]): Promise<Transition[]> {
  const confirmations = batch.map(({ step, context, transition }): Confirmation => {
    const { scope, code } = requireDialledCode(context)
    const { phoneNumber } = step
    const { providerId } = must(context.providerChoice, 'provider of a paying phone').provider
    const payer = { phoneNumber, providerId, amount: must(transition.amount, 'confirmed amount') }
    return { scope, codeId: code.id, payer, at: parts.clock.now(scope) }
  })
  const first = must(batch[0], 'step in a batch')
  const refusals = sessionIdOf(first)
    ? await paySessionCodes(
        tx,
        parts,
        confirmations.map((confirmation, i) => ({
          ...confirmation,
          sessionId: must(batch[i] && sessionIdOf(batch[i]), 'session of a code'),
        })),
      )
    : (await payCodes(tx, parts, first.step.environment, confirmations)).map((outcome) =>
        isRefused(outcome) ? outcome : undefined,
      )
  const transitions: Transition[] = []
  for (const [i, decided] of batch.entries()) {
    const refused = refusals[i]
    transitions.push(
      refused === undefined ? decided.transition : await refusalTransition(tx, parts, decided, refused),
    )
  }
  return transitions
}

async function refusalTransition(
  tx: Tx,
  parts: UssdParts,
  { step, context, transition }: DecidedStep,
  reason: Refused,
): Promise<Transition> {
  const words = menuTexts[transition.language]
  const ending = (text: string) => ({ ...transition, reply: finalReply(text) })
  if (typeof reason === 'object') return ending(words.tooManyPrompts(wholeMinutes(reason.retryAfterMs)))
  if (reason !== 'changed') return ending(reason === 'busy' ? words.busy : words.invalidCode)
  // The code has changed, so the payer is shown the new details and asked again.
  const { scope, code } = requireDialledCode(context)
  const now = parts.clock.now(scope)
  const dialled = await findDialledCode(tx, step.environment, code.number)
  return showPaymentDetails({
    ...context,
    dialled,
    now,
    providerChoice: dialled && chooseUssdProvider(parts, step, dialled),
  })
}

async function performAction(
  tx: Tx,
  parts: UssdParts,
  { step, transition }: DecidedStep,
): Promise<Transition> {
  switch (transition.action) {
    case 'count-wrong-code':
      await countWrongCode(tx, parts.settings, step)
      return transition
    case 'save-language':
      await updateLanguage(tx, step, transition.language)
      return transition
    default:
      return { ...transition, reply: await verify(tx, parts, step, transition) }
  }
}

async function verify(tx: Tx, parts: UssdParts, step: Step, { language }: Transition): Promise<Reply> {
  const words = menuTexts[language]
  const dial = await dialOtp(tx, parts, step, must(step.number, 'dialled number'))
  switch (dial.is) {
    case 'verified':
      return finalReply(toGsm7(dial.otp.verificationMessage ?? '') || words.verified)
    case 'wrong':
      return finalReply(words.invalidCode)
    case 'locked-out':
      return finalReply(lockedOutText(language, dial.leftMs))
  }
}
