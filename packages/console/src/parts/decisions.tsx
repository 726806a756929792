import { type ComponentChildren, createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { api } from '../api/client.ts'
import { useCurrentSpace } from '../api/scope.tsx'
import { createTexts } from '../text/languages.tsx'
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
  /** What else the dialogs show. */
  children?: ComponentChildren
}

const useTexts = createTexts(
  { createdByYou: 'You created this. Another member must approve it.' },
  { createdByYou: 'Vous l’avez créé. Un autre membre doit l’approuver.' },
)

/** Called with the user's latest decision. Provided by the list or page that shows the object. */
export const DecisionContext = createContext((_id: string, _decision: 'approved' | 'rejected') => {})

/** The buttons to approve or reject what another member created. The creator cannot use them. */
export function Decisions({
  of: { id, createUserId },
  calls,
  words: t,
  approveWarning,
  rejectWarning,
  children,
}: Props) {
  const { createdByYou } = useTexts()
  const { me } = useCurrentSpace()
  const tell = useContext(DecisionContext)
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
        onDone={() => tell(id, 'approved')}
      >
        {children}
      </ConfirmButton>
      <ConfirmButton
        call={calls.reject}
        args={[id]}
        action={t.reject}
        title={t.rejectTitle}
        warning={rejectWarning}
        onDone={() => tell(id, 'rejected')}
      >
        {children}
      </ConfirmButton>
    </>
  )
}
