import { api, type ResultOf } from '../api/client.ts'
import { useSend } from '../api/queries.ts'
import { usePermissions } from '../api/scope.tsx'
import { Time } from '../text/format.tsx'
import { createTexts } from '../text/languages.tsx'
import { ErrorNotice } from './notices.tsx'

const useTexts = createTexts(
  {
    ask: 'Ask the provider now',
    asking: 'Asking the provider…',
    answers: {
      pending: 'The provider answered: still pending.',
      later: 'The provider answered: it will report the outcome later.',
      unclear: 'The provider gave no clear answer.',
    },
  },
  {
    ask: 'Interroger le prestataire maintenant',
    asking: 'Le prestataire est interrogé…',
    answers: {
      pending: 'Réponse du prestataire\u00a0: toujours en attente.',
      later: 'Réponse du prestataire\u00a0: il communiquera le résultat plus tard.',
      unclear: 'Le prestataire n’a pas donné de réponse claire.',
    },
  },
)

const calls = {
  payments: api.payments.askProvider,
  payouts: api.payouts.askProvider,
  refunds: api.refunds.askProvider,
} as const

type CaseFile = ResultOf<typeof api.payments.caseFile>
type Props = { of: keyof typeof calls; id: string; question: CaseFile['question'] }

/** Returns whether the provider's answer to a question is awaited. */
export const isAwaited = ({ next, question }: CaseFile) =>
  next.step === 'ask_rail' && question !== null && question.answer === null

/** A button that asks the provider for the outcome now, and the provider's last answer. */
export function Question({ of, id, question }: Props) {
  const t = useTexts()
  const may = usePermissions()
  const send = useSend(calls[of])
  const isWaiting = question !== null && question.answer === null
  return (
    <div class="question">
      {may(`${of}:write`) && (
        <button type="button" disabled={send.isPending || isWaiting} onClick={() => send.mutate([id])}>
          {t.ask}
        </button>
      )}
      <p role="status">
        {isWaiting && t.asking}
        {question?.answer && t.answers[question.answer]}{' '}
        {question?.answerTime && <Time at={question.answerTime} isExact />}
      </p>
      <ErrorNotice error={send.error} />
    </div>
  )
}
