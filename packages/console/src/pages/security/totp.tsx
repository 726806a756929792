import { useQueryClient } from '@tanstack/preact-query'
import { useEffect, useRef, useState } from 'preact/hooks'
import { api } from '../../api/client.ts'
import { useRead, useSend } from '../../api/queries.ts'
import { CodeField } from '../../parts/code-field.tsx'
import { ConfirmButton } from '../../parts/confirm.tsx'
import { CopyButton, CopyText } from '../../parts/copy.tsx'
import { Dialog, DialogButton } from '../../parts/dialog.tsx'
import { DownloadButton } from '../../parts/download.tsx'
import { FormDialog, stayOpen } from '../../parts/form.tsx'
import { QrCode } from '../../parts/lazy-qr-code.tsx'
import { ErrorNotice, Loading } from '../../parts/notices.tsx'
import { Facts, Section } from '../../parts/page.tsx'
import { Time } from '../../text/format.tsx'
import { useTexts } from './texts.ts'

/** Shows the user's authenticator app and the number of recovery codes left. */
export function Totp() {
  const t = useTexts()
  const { data, error } = useRead(api.totp.retrieve, [])
  // The dialog is kept outside the button, which disappears as soon as the app is enabled. The recovery codes in
  // the dialog must stay visible.
  const [isAdding, setAdding] = useState(false)
  const more = data && !data.isEnabled && (
    <button type="button" onClick={() => setAdding(true)}>
      {t.addApp}
    </button>
  )
  return (
    <Section title={t.app} more={more}>
      {isAdding && <AddDialog onClose={() => setAdding(false)} />}
      <p class="field">{t.appText}</p>
      <ErrorNotice error={error} />
      {!data && <Loading />}
      {data?.isEnabled && (
        <>
          <Facts
            of={[
              [t.added, <Time at={data.enableTime} />],
              [t.codesLeft, data.recoveryCodeCount],
              [t.lockedUntil, data.lockedUntilTime && <Time at={data.lockedUntilTime} />],
              [
                t.lockedElsewhere,
                data.lockedElsewhereUntilTime && <Time at={data.lockedElsewhereUntilTime} />,
              ],
            ]}
          />
          <p class="actions">
            <DialogButton label={t.remake} class="quiet">
              {(close) => <RemakeDialog onClose={close} />}
            </DialogButton>
            <ConfirmButton
              call={api.totp.remove}
              args={[]}
              action={t.removeApp}
              title={t.removeAppTitle}
              warning={t.removeAppText}
            />
          </p>
        </>
      )}
    </Section>
  )
}

/** A dialog that shows the setup key, asks for a code and then shows the recovery codes. */
function AddDialog({ onClose }: { onClose(): void }) {
  const t = useTexts()
  const begin = useSend(api.totp.begin)
  const confirm = useSend(api.totp.create)
  useEffect(() => begin.mutate([]), [])
  if (confirm.data) return <CodesDialog codes={confirm.data.recoveryCodes} onClose={onClose} />
  const { data: secret } = begin
  return (
    <FormDialog
      title={t.addApp}
      action={t.confirm}
      send={{ ...confirm, isPending: confirm.isPending || !secret, error: begin.error ?? confirm.error }}
      read={(form) => [{ code: form.text('code') }]}
      onSent={stayOpen}
      onClose={onClose}
    >
      <p class="field">{t.scan}</p>
      {secret ? (
        <>
          <QrCode text={secret.uri} label={t.qr} />
          <p class="field">
            {t.orType} <CopyText text={secret.secret} />
          </p>
        </>
      ) : (
        !begin.error && <Loading />
      )}
      <CodeField hasRecovery={false} />
    </FormDialog>
  )
}

function RemakeDialog({ onClose }: { onClose(): void }) {
  const t = useTexts()
  const send = useSend(api.recoveryCodes.create)
  if (send.data) return <CodesDialog codes={send.data.recoveryCodes} onClose={onClose} />
  return (
    <FormDialog
      title={t.remake}
      action={t.remake}
      send={send}
      read={() => []}
      onSent={stayOpen}
      onClose={onClose}
    >
      <p class="field">{t.remakeText}</p>
    </FormDialog>
  )
}

/** Shows the recovery codes once. */
function CodesDialog({ codes, onClose }: { codes: string[]; onClose(): void }) {
  const t = useTexts()
  const client = useQueryClient()
  const close = () => {
    onClose()
    void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey.includes(api.totp.retrieve) })
  }
  const shown = useRef<HTMLUListElement>(null)
  const lines = codes.map((code) => `${code}\n`)
  return (
    <Dialog title={t.codes} onClose={close}>
      <p class="field">{t.codesText}</p>
      <ul ref={shown} class="codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div class="actions">
        <CopyButton text={lines.join('')} shown={shown} about={t.codes} class="quiet" />
        <DownloadButton
          name="pesewa-recovery-codes.txt"
          label={t.download}
          get={async () => new Blob(lines, { type: 'text/plain' })}
        />
        <button type="button" class="main" onClick={close}>
          {t.kept}
        </button>
      </div>
    </Dialog>
  )
}
