import { Fragment } from 'preact'
import { useState } from 'preact/hooks'
import { api, type InputOf } from '../../api/client.ts'
import { useSend } from '../../api/queries.ts'
import { useCurrentSpace } from '../../api/scope.tsx'
import { ChoiceField, FormDialog, SecretDialog, stayOpen, TextField } from '../../parts/form.tsx'
import type { FormReader } from '../../parts/form-reader.ts'
import { useTexts } from './texts.ts'

type Scopes = InputOf<typeof api.accessTokens.create>['scopes']

/** A dialog that creates a token and then shows it once. */
export function NewTokenDialog({ onClose }: { onClose(): void }) {
  const t = useTexts()
  const send = useSend(api.accessTokens.create)
  const { space } = useCurrentSpace()
  const [which, choose] = useState<Choice>('some')
  const [hasNoScopes, setNoScopes] = useState(false)
  if (send.data?.token) return <TextDialog text={send.data.token} onClose={onClose} />
  const read = (form: FormReader) => {
    // Safe: the form offers only valid permissions.
    const scopes = scopesOf(which, space.permissions, form.all('scopes')) as Scopes
    setNoScopes(scopes.length === 0)
    if (scopes.length === 0) return undefined
    const networks = form.list('networks')
    const [name, duration] = [form.text('name'), form.text('duration')]
    return [{ name, scopes, duration, ...(networks.length > 0 && { networks }) }] as const
  }
  return (
    <FormDialog
      title={t.create}
      action={t.create}
      send={send}
      read={read}
      onSent={stayOpen}
      onClose={onClose}
    >
      <TextField name="name" label={t.name} hint={t.nameHint} max={100} isRequired />
      <fieldset class="field">
        <legend>{t.scopes}</legend>
        {choices.map((choice) => (
          <Fragment key={choice}>
            <label class="choice">
              <input type="radio" name="which" checked={which === choice} onChange={() => choose(choice)} />{' '}
              {t.uses[choice]}
            </label>
            {which === choice && <Chosen choice={choice} />}
          </Fragment>
        ))}
        {hasNoScopes && (
          <p class="fault" role="alert">
            {t.noScopes}
          </p>
        )}
      </fieldset>
      <ChoiceField name="duration" label={t.life} choices={t.lives} initial="90d" />
      <TextField name="networks" label={t.networks} hint={t.networksHint} max={1000} />
    </FormDialog>
  )
}

/** Permissions for the most common uses. */
const presets = {
  payments: [
    'checkout-sessions:write',
    'payment-codes:write',
    'payments:read',
    'receipts:read',
    'refunds:write',
    'events:read',
  ],
  payouts: ['payouts:write', 'balances:read', 'provider-kyc:read', 'events:read'],
} as const
const choices = ['payments', 'payouts', 'reading', 'some', 'all'] as const
type Choice = (typeof choices)[number]

/** Returns the permissions that a choice grants, limited to the user's own, because the API refuses any others. */
function scopesOf(which: Choice, own: string[], chosen: string[]): string[] {
  if (which === 'all') return ['*']
  if (which === 'some') return chosen
  if (which === 'reading') return own.filter((permission) => permission.endsWith(':read'))
  return presets[which].filter((permission) => own.includes(permission))
}

/** Shows the permissions that a choice grants, or lets the user select them. */
function Chosen({ choice }: { choice: Choice }) {
  const { space } = useCurrentSpace()
  if (choice === 'all') return null
  if (choice === 'some') return <ScopeChoices />
  return <p class="muted">{scopesOf(choice, space.permissions, []).join(', ')}</p>
}

/** One checkbox for each of the user's own permissions, because the API refuses any others. */
function ScopeChoices() {
  const { space } = useCurrentSpace()
  return (
    <div class="choices">
      {space.permissions.map((permission) => (
        <label class="choice" key={permission}>
          <input type="checkbox" name="scopes" value={permission} /> {permission}
        </label>
      ))}
    </div>
  )
}

type RollDialogProps = { id: string; name: string; onClose(): void }

export function RollDialog({ id, name, onClose }: RollDialogProps) {
  const t = useTexts()
  const send = useSend(api.accessTokens.roll)
  if (send.data?.token) return <TextDialog text={send.data.token} onClose={onClose} />
  return (
    <FormDialog
      title={t.rollTitle(name)}
      action={t.roll}
      send={send}
      read={(form) => [id, { overlap: form.text('overlap') }]}
      onSent={stayOpen}
      onClose={onClose}
    >
      <p>{t.rollText}</p>
      <ChoiceField name="overlap" label={t.overlap} choices={t.overlaps} initial="1d" />
    </FormDialog>
  )
}

function TextDialog({ text, onClose }: { text: string; onClose(): void }) {
  const t = useTexts()
  return <SecretDialog title={t.text} notice={t.textNotice} secret={text} onClose={onClose} />
}
