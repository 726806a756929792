import { failure, type HandsetMode, success } from '@pesewa/connector-kit/simulator'
import { formatMoney, must } from '@pesewa/values'
import { Refusal } from '../../platform/refusals.ts'
import type { Catalogue } from '../../rails/connections/catalogue.ts'
import type { SimulatorPlatform } from '../engine/parts.ts'
import { type Notice, noticeOf } from './notices.ts'
import {
  forgetMode,
  type HandsetEntry,
  insertAskingMode,
  isPromptOn,
  selectModes,
  selectShown,
} from './store.ts'

export type Handset = {
  /** In E.164 format, with `+`. */
  number: string
  mode: HandsetMode
  prompts: { reference: string; network: string; amount: string; what: string; endTime: Date }[]
  /** Messages from the networks, newest first. */
  notices: Notice[]
}

/**
 * Returns the state of the handsets with the given numbers, which are in E.164 format with `+`. Every number
 * has a handset, even if it has never been used.
 */
export async function readHandsets(
  { db, clock, catalogue }: SimulatorPlatform,
  numbers: string[],
): Promise<Handset[]> {
  const msisdns = numbers.map(withoutPlus)
  const modes = new Map((await selectModes(db, msisdns)).map(({ msisdn, mode }) => [msisdn, mode]))
  const shown = Map.groupBy(await selectShown(db, msisdns, clock.now()), ({ msisdn }) => msisdn)
  return numbers.map((number) => {
    const entries = shown.get(withoutPlus(number)) ?? []
    const prompts = entries.filter(({ endedAt }) => endedAt === null)
    const ended = entries.filter(({ endedAt }) => endedAt !== null)
    return {
      number,
      mode: modes.get(withoutPlus(number)) ?? 'approve',
      prompts: prompts.map((prompt) => promptOf(catalogue, prompt)),
      notices: ended.map((collection) => noticeOf(networkOf(catalogue, collection), collection)),
    }
  })
}

export async function setMode(
  { db, clock }: SimulatorPlatform,
  number: string,
  mode: HandsetMode,
): Promise<void> {
  const isSet = await db.transaction(async (tx) => {
    if (mode === 'ask') return insertAskingMode(tx, withoutPlus(number), clock.now())
    await forgetMode(tx, withoutPlus(number))
    return true
  })
  if (!isSet)
    throw new Refusal('too_many_requests', {
      message: 'Too many handsets are set to “Ask me”. Try again later.',
      headers: { 'service-rate-limit': 'handset-count', 'retry-after': '3600' },
    })
}

/** Applies the user's answer to a prompt. Returns `false` if the prompt is not open on this handset. */
export async function answerPrompt(
  { db, store, clock, wakeAt }: SimulatorPlatform,
  number: string,
  reference: string,
  answer: 'approve' | 'decline',
): Promise<boolean> {
  const now = clock.now()
  if (!(await isPromptOn(db, withoutPlus(number), reference, now))) return false
  const outcome = answer === 'approve' ? success(0) : failure(0, 'APPROVAL_REJECTED')
  const answered = await store.answer(reference, now, [outcome])
  if (answered) wakeAt(now)
  return answered
}

/** Returns a number as rails use it, which is without `+`. */
const withoutPlus = (number: string) => number.replace(/^\+/, '')

function promptOf(catalogue: Catalogue, prompt: HandsetEntry): Handset['prompts'][number] {
  return {
    reference: prompt.reference,
    network: networkOf(catalogue, prompt),
    amount: formatMoney({ currency: prompt.currency, value: prompt.amountMinor }),
    what: prompt.message,
    endTime: must(prompt.asksUntil, 'end of a prompt'),
  }
}

const networkOf = (catalogue: Catalogue, { providerId }: HandsetEntry) =>
  catalogue.find(providerId)?.name ?? providerId
