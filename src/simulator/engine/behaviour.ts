/** How long the simulated payer and rail take, in milliseconds. */
export type Delays = {
  /** From the prompt to the payer's answer. */
  answerMs: number
  /** How long a prompt stays on the handset. */
  promptLifeMs: number
  /** A rail that is slow to report (…004). */
  slowMs: number
  /** From a reported failure to the reported success (…012). */
  secondThoughtsMs: number
}

export const defaultDelays: Delays = {
  answerMs: 300,
  promptLifeMs: 60_000,
  slowMs: 30_000,
  secondThoughtsMs: 5_000,
}

/** `ask`: a person at the simulated handset answers. */
export type HandsetMode = 'approve' | 'ask'

export type PlannedOutcome = {
  afterMs: number
  status: 'SUCCESSFUL' | 'FAILED'
  reason: string | null
  /** How often the callback is sent. */
  callbacks: number
}

/** What the rail does with a collection. `drop`: it takes it but the response is lost; `fail`: 500, and not taken. */
export type Plan = { submit: 'accept' | 'drop' | 'fail'; asks: boolean; outcomes: PlannedOutcome[] }

/** How long a page waits for its payer. */
export const pageLifeMs = 15 * 60_000

/**
 * A payment that is authorised on the rail's own page: until then nothing happens, whatever the payer's number. But
 * where the response is lost (…007) the payer never sees the page, and approves as it were in the bank's own app.
 */
export function planForPage(payer: string, delays: Delays): Plan {
  const plan = planFor(payer, 'approve', delays)
  if (plan.submit !== 'accept') return { ...plan, asks: plan.submit === 'drop' }
  return { submit: 'accept', asks: true, outcomes: [failure(pageLifeMs, 'EXPIRED')] }
}

/** The contract's table: the last three digits of the payer's number decide. */
export function planFor(payer: string, mode: HandsetMode, delays: Delays): Plan {
  const { answerMs, promptLifeMs, slowMs, secondThoughtsMs } = delays
  switch (payer.slice(-3)) {
    case '001':
      return accepted(failure(answerMs, 'NOT_ENOUGH_FUNDS'))
    case '002':
      return accepted(failure(answerMs, 'APPROVAL_REJECTED'))
    case '003':
      return accepted(failure(promptLifeMs, 'EXPIRED'))
    case '004':
      return accepted(success(slowMs))
    case '005':
      return accepted(success(answerMs, 3))
    case '006':
      return accepted(success(answerMs, 0))
    case '007':
      return { ...accepted(success(answerMs)), submit: 'drop' }
    case '008':
      return { submit: 'fail', asks: false, outcomes: [] }
    case '009':
      return accepted(failure(answerMs, 'SENDER_ACCOUNT_NOT_ACTIVE'))
    case '010':
      return accepted(failure(answerMs, 'PAYER_NOT_FOUND'))
    case '011':
      return accepted(failure(answerMs, 'PAYER_LIMIT_REACHED'))
    case '012':
      // The prompt ran out, then the payer's PIN arrived after all.
      return accepted(
        failure(answerMs, 'COULD_NOT_PERFORM_TRANSACTION'),
        success(answerMs + secondThoughtsMs),
      )
    default:
      return mode === 'ask'
        ? { ...accepted(failure(promptLifeMs, 'EXPIRED')), asks: true }
        : accepted(success(answerMs))
  }
}

/** MTN's words of a payer that have others where the account is the payee's. */
const ofPayees: Readonly<Record<string, string>> = {
  APPROVAL_REJECTED: 'PAYEE_NOT_ALLOWED_TO_RECEIVE',
  SENDER_ACCOUNT_NOT_ACTIVE: 'ACCOUNTHOLDER_NOT_ACTIVE',
  PAYER_NOT_FOUND: 'PAYEE_NOT_FOUND',
  PAYER_LIMIT_REACHED: 'PAYEE_LIMIT_REACHED',
}

/** The same table for money that is paid out: nobody approves it, and the account is the payee's. */
export function planForPayee(payee: string, delays: Delays): Plan {
  const plan = planFor(payee, 'approve', delays)
  const outcomes = plan.outcomes.map((outcome) => ({
    ...outcome,
    reason: outcome.reason && (ofPayees[outcome.reason] ?? outcome.reason),
  }))
  return { ...plan, outcomes }
}

function accepted(...outcomes: PlannedOutcome[]): Plan {
  return { submit: 'accept', asks: false, outcomes }
}

export function success(afterMs: number, callbacks = 1): PlannedOutcome {
  return { afterMs, status: 'SUCCESSFUL', reason: null, callbacks }
}

export function failure(afterMs: number, reason: string): PlannedOutcome {
  return { afterMs, status: 'FAILED', reason, callbacks: 1 }
}
