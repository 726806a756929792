import { type ComponentChildren, createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { api } from '../api/client.ts'
import { useCurrentSpace } from '../api/scope.tsx'
import { useWords } from '../text/words.ts'
import { ConfirmButton } from './confirm.tsx'

type Calls = typeof api.payouts | typeof api.refunds | typeof api.payoutBatches

type DecisionWords = {
  approve: string
  approveTitle: string
  reject: string
  rejectTitle: string
}

type Props = {
  /** The object that awaits approval. */
  of: { id: string; createUserId: string | null }
  calls: Calls
  words: DecisionWords
  approveWarning: string
  rejectWarning: string
  /** Called after the object has been approved or rejected. */
  onDecided?(): void
  /** What else the dialogs show. */
  children?: ComponentChildren
}

/** Called with the user's latest decision. Provided by the list that contains the object. */
export const DecisionContext = createContext((_id: string, _decision: 'approved' | 'rejected') => {})

/** The buttons to approve or reject what another member created. The creator cannot use them. */
export function Decisions({
  of: { id, createUserId },
  calls,
  words: t,
  approveWarning,
  rejectWarning,
  onDecided,
  children,
}: Props) {
  const { createdByYou } = useWords()
  const { me } = useCurrentSpace()
  const tell = useContext(DecisionContext)
  const done = (decision: 'approved' | 'rejected') => {
    tell(id, decision)
    onDecided?.()
  }
  if (createUserId === me.user.id) return <span class="muted">{createdByYou}</span>
  return (
    <>
      <ConfirmButton
        call={calls.approve}
        args={[id]}
        action={t.approve}
        title={t.approveTitle}
        warning={approveWarning}
        isDangerous={false}
        onDone={() => done('approved')}
      >
        {children}
      </ConfirmButton>
      <ConfirmButton
        call={calls.reject}
        args={[id]}
        action={t.reject}
        title={t.rejectTitle}
        warning={rejectWarning}
        onDone={() => done('rejected')}
      >
        {children}
      </ConfirmButton>
    </>
  )
}
