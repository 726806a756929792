import { api } from '../../api/client.ts'
import { useRead, useSend } from '../../api/queries.ts'
import { useCurrentSpace, usePermissions } from '../../api/scope.tsx'
import { optionsOf } from '../../parts/field.tsx'
import { Form } from '../../parts/form.tsx'
import { ErrorNotice } from '../../parts/notices.tsx'
import { MenuPageHead } from '../../parts/page.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../text/format.tsx'
import { useTexts } from './texts.ts'

/** The page with tools for the test environment. */
export default function Try() {
  const t = useTexts()
  const { scope } = useCurrentSpace()
  if (scope.environment !== 'test')
    return (
      <>
        <MenuPageHead page="/try" />
        <p class="notice">{t.testOnly}</p>
      </>
    )
  return (
    <>
      <MenuPageHead page="/try" />
      <section class="card">
        <h2>{t.phones}</h2>
        <p>{t.phonesText}</p>
        <p>
          <a class="button main" href="/simulator" target="_blank" rel="noopener">
            {t.openPhones}
          </a>
        </p>
      </section>
      <Clock />
      <section>
        <h2>{t.numbers}</h2>
        <p class="muted">{t.numbersText}</p>
        <Table
          label={t.numbers}
          rows={Object.entries(t.endings).sort()}
          keyOf={([digits]) => digits}
          columns={[
            { label: t.digits, cell: ([digits]) => <code>{digits === 'other' ? '…' : `…${digits}`}</code> },
            { label: t.ending, cell: ([, words]) => words },
          ]}
        />
      </section>
    </>
  )
}

function Clock() {
  const t = useTexts()
  const may = usePermissions()
  const { data: clock, error } = useRead(api.testClock.retrieve, [])
  const send = useSend(api.testClock.move)
  return (
    <section class="card">
      <h2>{t.clock}</h2>
      <p>{t.clockText}</p>
      <ErrorNotice error={error ?? send.error} />
      {clock && (
        <p>
          {t.now} <Time at={clock.now} />
        </p>
      )}
      {may('checkout-sessions:write') && (
        <Form class="actions" send={send} read={(form) => [{ advance: form.text('advance') }]}>
          <select name="advance" aria-label={t.ahead}>
            {optionsOf(t.choices)}
          </select>
          <button type="submit" disabled={send.isPending}>
            {t.move}
          </button>
          <button
            type="button"
            class="quiet"
            disabled={send.isPending}
            onClick={() => send.mutate([{ reset: true }])}
          >
            {t.reset}
          </button>
        </Form>
      )}
    </section>
  )
}
