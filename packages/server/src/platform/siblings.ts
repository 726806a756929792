import cluster from 'node:cluster'
import { messageOf } from '@pesewa/values'

const answerLimitMs = 15_000 // limit: time in which each of several processes must answer a question of another one

/** The processes among which the program is divided. Without PROCESSES, there is only this one. */
export type Siblings = {
  /** Sets how this process answers a question. */
  onAsked(question: string, answer: () => Promise<unknown>): void
  /**
   * Returns the answers of this process and of every other one that is ready.
   *
   * @throws if a process fails to answer, or does not answer in time
   */
  ask(question: string): Promise<unknown[]>
}

export type SiblingAnswer = { value: unknown } | { failure: string }

/** Messages that a process sends to its supervisor. */
export type ToSupervisor = { ask: string; id: number } | { answer: SiblingAnswer; id: number }
/** Messages that the supervisor sends: a question of another process, or the answers to a question of this one. */
export type FromSupervisor = { asked: string; id: number } | { answers: SiblingAnswer[]; id: number }

/**
 * Connects this process to the others. With `isAlone`, it asks only itself; operator commands that run within a node
 * need this, because the app of the node answers the others.
 */
export function openSiblings({ isAlone = false } = {}): Siblings {
  const answers = new Map<string, () => Promise<unknown>>()
  const answerTo = async (question: string): Promise<SiblingAnswer> => {
    try {
      return { value: await answers.get(question)?.() }
    } catch (error) {
      return { failure: messageOf(error) }
    }
  }
  const askOthers = cluster.isWorker && !isAlone ? openChannel(answerTo) : async () => []
  return {
    onAsked: (question, answer) => void answers.set(question, answer),
    ask: async (question) => {
      const [own, others] = await Promise.all([answerTo(question), askOthers(question)])
      return [own, ...others].map((outcome) => {
        if ('failure' in outcome) throw new Error(`failed to answer "${question}": ${outcome.failure}`)
        return outcome.value
      })
    },
  }
}

/** Answers the questions of other processes. Returns a function that asks them. */
function openChannel(answerTo: (question: string) => Promise<SiblingAnswer>) {
  const waiting = new Map<number, (answers: SiblingAnswer[]) => void>()
  let asked = 0
  const send = (message: ToSupervisor) => void process.send?.(message)
  process.on('message', (message: FromSupervisor | object) => {
    if ('answers' in message) waiting.get(message.id)?.(message.answers)
    if ('asked' in message) void answerTo(message.asked).then((answer) => send({ answer, id: message.id }))
  })
  return async (question: string): Promise<SiblingAnswer[]> => {
    const id = ++asked
    const { promise, resolve, reject } = Promise.withResolvers<SiblingAnswer[]>()
    const limit = setTimeout(() => reject(new Error(`no answer to "${question}"`)), answerLimitMs)
    waiting.set(id, resolve)
    send({ ask: question, id })
    return promise.finally(() => {
      clearTimeout(limit)
      waiting.delete(id)
    })
  }
}
