import { useEffect, useRef, useState } from 'preact/hooks'
import { api, type Environment, type InputOf } from '../../api/client.ts'
import { useSend } from '../../api/queries.ts'
import { ReasonField } from '../../parts/confirm.tsx'
import { FormDialog } from '../../parts/form.tsx'
import { useProviderName } from '../../parts/providers.tsx'
import { useDayFormat } from '../../text/format.tsx'
import { useTexts } from './texts.ts'

export type DayToSign = { providerId: string; environment: Environment; day: string }

/** Signs matched days, one after the other. It stops at the first refusal; days signed before it stay signed. */
export function SignDialog({ days, onClose }: { days: DayToSign[]; onClose(): void }) {
  const { sign: t } = useTexts()
  // The page is read again while days are signed, and then offers fewer of them.
  const [all] = useState(days)
  const { signed, refused, ...send } = useSigning(all)
  return (
    <FormDialog
      title={t.question(all.length)}
      action={t.action(all.length)}
      send={send}
      read={(form) => form.reason()}
      onSent={onClose}
      onClose={onClose}
    >
      <p>{t.text}</p>
      <ReasonField />
      <p role="status">{signed > 0 && t.progress(signed, all.length)}</p>
      {refused && <Refused day={refused} />}
    </FormDialog>
  )
}

function Refused({ day: { providerId, day } }: { day: DayToSign }) {
  const { sign: t } = useTexts()
  return <p>{t.refused(useDayFormat()(day), useProviderName(providerId))}</p>
}

type Reason = Pick<InputOf<typeof api.installation.closedDays.create>, 'reason'>

/** Returns a sender that matches the statements and then signs each day, until the user leaves the dialog. */
function useSigning(days: DayToSign[]) {
  const match = useSend(api.installation.reconciliation.match)
  const close = useSend(api.installation.closedDays.create)
  const [signed, setSigned] = useState(0)
  const [isPending, setPending] = useState(false)
  const [error, setError] = useState<Error | null>(null)
  const [current, setCurrent] = useState<DayToSign>()
  const isLeft = useRef(false)
  useEffect(
    () => () => {
      isLeft.current = true
    },
    [],
  )

  /** Lines that were booked recently must be matched before their day can be signed. */
  async function matchAll(): Promise<void> {
    const { environment } = days[0] ?? {}
    for (let after: string | null = null, isDone = false; !isDone && !isLeft.current; )
      ({ after, isDone } = await match.mutateAsync([{ ...(environment && { environment }), after }]))
  }

  async function signAll({ reason }: Reason): Promise<void> {
    await matchAll()
    for (const day of days.slice(signed)) {
      if (isLeft.current) return
      setCurrent(day)
      await close.mutateAsync([{ ...day, reason }])
      setSigned((count) => count + 1)
    }
  }

  function mutate(reason: Reason, { onSuccess }: { onSuccess?(result: undefined): void } = {}): void {
    setPending(true)
    setError(null)
    signAll(reason)
      .then(() => isLeft.current || onSuccess?.(undefined), setError)
      .finally(() => setPending(false))
  }
  return { mutate, isPending, error, signed, refused: error ? current : undefined }
}
