/** Delays of the simulated payer and rail, in milliseconds. */
export type Delays = {
  /** Time from the prompt to the payer's answer. */
  answerMs: number
  /** How long a prompt stays on the handset. */
  promptLifeMs: number
  /** Delay of a rail that is slow to report (numbers that end with 004). */
  slowMs: number
  /** Time from a reported failure to the later success (numbers that end with 012). */
  lateSuccessMs: number
}

export const defaultDelays: Delays = {
  answerMs: 300,
  promptLifeMs: 60_000,
  slowMs: 30_000,
  lateSuccessMs: 5_000,
}

/** With `ask`, the user of the simulated handset decides. */
export type HandsetMode = 'approve' | 'ask'

export type PlannedOutcome = {
  afterMs: number
  status: 'SUCCESSFUL' | 'FAILED'
  reason: string | null
  /** Number of times that the callback is sent. */
  callbacks: number
}

/**
 * The way in which a rail handles a request. With `drop`, it accepts the request, but the response is lost.
 * With `fail`, it responds with 500 and does not accept the request.
 */
export type Plan = { submit: 'accept' | 'drop' | 'fail'; waitsForUser: boolean; outcomes: PlannedOutcome[] }

export const pageLifeMs = 15 * 60_000 // how long a simulated rail’s page waits for its payer

/**
 * Returns the plan for a payment that is authorized on the rail's page. Nothing happens until it is authorized,
 * whatever the payer's number. If the response is lost (numbers that end with 007), the payer never sees the
 * page, and the payment is approved as if in the bank's own app.
 */
export function planForPage(payer: string, delays: Delays): Plan {
  const plan = planFor(payer, 'approve', delays)
  if (plan.submit !== 'accept') return { ...plan, waitsForUser: plan.submit === 'drop' }
  return { submit: 'accept', waitsForUser: true, outcomes: [failure(pageLifeMs, 'EXPIRED')] }
}

/** Outcomes by the last three digits of the payer's number, as they are documented. */
const reserved: Readonly<Record<string, (delays: Delays) => PlannedOutcome[]>> = {
  '001': ({ answerMs }) => [failure(answerMs, 'NOT_ENOUGH_FUNDS')],
  '002': ({ answerMs }) => [failure(answerMs, 'APPROVAL_REJECTED')],
  '003': ({ promptLifeMs }) => [failure(promptLifeMs, 'EXPIRED')],
  '004': ({ slowMs }) => [success(slowMs)],
  '005': ({ answerMs }) => [success(answerMs, 3)],
  '006': ({ answerMs }) => [success(answerMs, 0)],
  '007': ({ answerMs }) => [success(answerMs)],
  '008': () => [],
  '009': ({ answerMs }) => [failure(answerMs, 'SENDER_ACCOUNT_NOT_ACTIVE')],
  '010': ({ answerMs }) => [failure(answerMs, 'PAYER_NOT_FOUND')],
  '011': ({ answerMs }) => [failure(answerMs, 'PAYER_LIMIT_REACHED')],
  // The prompt has expired, but the payer's PIN arrives afterwards.
  '012': ({ answerMs, lateSuccessMs }) => [
    failure(answerMs, 'COULD_NOT_PERFORM_TRANSACTION'),
    success(answerMs + lateSuccessMs),
  ],
}
const submits: Readonly<Record<string, Plan['submit']>> = { '007': 'drop', '008': 'fail' }

export function planFor(payer: string, mode: HandsetMode, delays: Delays): Plan {
  const digits = payer.slice(-3)
  const outcomes = reserved[digits]?.(delays)
  if (outcomes) return { submit: submits[digits] ?? 'accept', waitsForUser: false, outcomes }
  const waitsForUser = mode === 'ask'
  const outcome = waitsForUser ? failure(delays.promptLifeMs, 'EXPIRED') : success(delays.answerMs)
  return { submit: 'accept', waitsForUser, outcomes: [outcome] }
}

/** MTN's names for the reasons that have different names for payees than for payers. */
const payeeReasons: Readonly<Record<string, string>> = {
  APPROVAL_REJECTED: 'PAYEE_NOT_ALLOWED_TO_RECEIVE',
  SENDER_ACCOUNT_NOT_ACTIVE: 'ACCOUNTHOLDER_NOT_ACTIVE',
  PAYER_NOT_FOUND: 'PAYEE_NOT_FOUND',
  PAYER_LIMIT_REACHED: 'PAYEE_LIMIT_REACHED',
}

/**
 * Returns the plan for a payout, which depends on the last three digits of the payee's account. No approval is
 * needed.
 */
export function planForPayee(payee: string, delays: Delays): Plan {
  const plan = planFor(payee, 'approve', delays)
  const outcomes = plan.outcomes.map((outcome) => ({
    ...outcome,
    reason: outcome.reason && (payeeReasons[outcome.reason] ?? outcome.reason),
  }))
  return { ...plan, outcomes }
}

/** Returns the plan for a refund, which depends on the message to the payer, whatever the payer's number. */
export const planForRefund = (message: string, delays: Delays): Plan =>
  planForPayee(/^[0-9]{3}$/.test(message) ? message : '', delays)

export function success(afterMs: number, callbacks = 1): PlannedOutcome {
  return { afterMs, status: 'SUCCESSFUL', reason: null, callbacks }
}

export function failure(afterMs: number, reason: string): PlannedOutcome {
  return { afterMs, status: 'FAILED', reason, callbacks: 1 }
}
