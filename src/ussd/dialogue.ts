import { createLooks, type Seen } from './looks.ts'
import { providerFor } from './networks.ts'
import { codesLockedForMs, languageOf } from './phones.ts'
import { end } from './screens.ts'
import { answerTo, type Reply, selectSession } from './session-store.ts'
import type { DialogueParts, Step } from './step.ts'
import { createTaking } from './taking.ts'
import { texts } from './texts.ts'
import { type Look, takeTurn } from './turns.ts'

/**
 * Answers steps. An answer is kept in the transaction that does what the step asks for, so that a step which is
 * delivered again, late, or twice at once does nothing and gets the same answer, from whatever node.
 */
export function createDialogue(parts: DialogueParts): (step: Step) => Promise<Reply> {
  const see = createLooks(parts.db)
  const take = createTaking(parts)
  return async (step) => {
    const seen = await see(step)
    const { session } = seen
    const answered = answerTo(session, step.step)
    if (answered) return answered
    const look = lookOf(parts, step, seen)
    const reply = await take({ step, session, look, turn: takeTurn(look, session, step) })
    if (reply) return reply
    // Another delivery was first.
    const taken = await selectSession(parts.db, step)
    return answerTo(taken, step.step) ?? end(texts[look.language].over)
  }
}

function lookOf(parts: DialogueParts, step: Step, { session, phone, dialled }: Seen): Look {
  return {
    phoneNumber: step.phoneNumber,
    language: session?.language ?? languageOf(phone, step),
    lockedOutMs: codesLockedForMs(parts.settings, phone),
    dialled,
    provider: dialled && providerFor(parts, step, dialled),
    now: dialled ? parts.clock.now(dialled.scope) : new Date(),
  }
}
