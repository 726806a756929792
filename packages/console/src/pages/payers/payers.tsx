import { useSearchParams } from 'wouter-preact'
import { useCurrentSpace } from '../../api/scope.tsx'
import { locally, PageForm, PhoneField } from '../../parts/form.tsx'
import { PageHead } from '../../parts/page.tsx'
import { parsePhone } from '../../text/phones.ts'
import { History } from './history.tsx'
import { useTexts } from './texts.ts'

/** The phone lookup page. It answers the most common support question: what happened to my money? */
export default function Payers() {
  const t = useTexts()
  const { country } = useCurrentSpace().space
  const [search] = useSearchParams()
  const typed = search.get('phoneNumber') ?? ''
  const phone = parsePhone(typed, country)
  return (
    <>
      <PageHead title={phone ? t.of(phone) : t.payers} />
      {!phone && <p class="intro">{t.intro}</p>}
      <PhoneForm typed={typed} key={typed} />
      {phone && <History phone={phone} key={phone} />}
    </>
  )
}

function PhoneForm({ typed }: { typed: string }) {
  const t = useTexts()
  const { country } = useCurrentSpace().space
  const [, setSearch] = useSearchParams()
  const send = locally((phoneNumber: string) => setSearch(new URLSearchParams({ phoneNumber })))
  return (
    <PageForm action={t.show} send={send} read={(form) => form.phone('phoneNumber')}>
      <PhoneField
        name="phoneNumber"
        label={t.phone}
        issue={typed && !parsePhone(typed, country) ? t.notAPhone : undefined}
        isRequired
        initial={typed}
      />
    </PageForm>
  )
}
