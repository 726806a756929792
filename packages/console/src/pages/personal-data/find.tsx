import { useRef } from 'preact/hooks'
import { api, type InputOf } from '../../api/client.ts'
import { useSend } from '../../api/queries.ts'
import { ReasonField } from '../../parts/confirm.tsx'
import { ChoiceField, PageForm, TextField } from '../../parts/form.tsx'
import type { FormReader } from '../../parts/form-reader.ts'
import { Section } from '../../parts/page.tsx'
import { useProviderChoices } from '../../parts/providers.tsx'
import { useTexts } from './texts.ts'

/** A person as typed by the user, with the reason of the request. */
export type Subject = InputOf<typeof api.personalDataExports.create>

/** A form that finds everything about a person, by phone number or by account. */
export function Find({ onFound }: { onFound(subject: Subject, exportId: string): void }) {
  const t = useTexts()
  const send = useSend(api.personalDataExports.create)
  const { card: _, ...providers } = useProviderChoices()
  const sent = useRef<Subject>()
  const read = (form: FormReader) => {
    sent.current = { person: readPerson(form), ...form.reason() }
    return [sent.current] as const
  }
  return (
    <Section title={t.find}>
      <PageForm
        action={t.findAction}
        send={send}
        read={read}
        onSent={({ id }) => sent.current && onFound(sent.current, id)}
      >
        <ChoiceField
          name="providerId"
          at="person.providerId"
          label={t.by}
          choices={{ '': t.byPhone, ...providers }}
        />
        <TextField name="account" at="person" label={t.account} hint={t.accountHint} max={64} isRequired />
        <ReasonField />
      </PageForm>
    </Section>
  )
}

function readPerson(form: FormReader): Subject['person'] {
  const providerId = form.text('providerId')
  return providerId ? { providerId, account: form.text('account') } : { phoneNumber: form.phone('account') }
}
