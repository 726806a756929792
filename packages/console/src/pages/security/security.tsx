import { api } from '../../api/client.ts'
import { rowsOf, useRead, useSend } from '../../api/queries.ts'
import { ConfirmButton } from '../../parts/confirm.tsx'
import { ErrorNotice } from '../../parts/notices.tsx'
import { PageHead, Section } from '../../parts/page.tsx'
import { PagedTable } from '../../parts/table.tsx'
import { Time } from '../../text/format.tsx'
import { Passkeys } from './passkeys.tsx'
import { useTexts } from './texts.ts'
import { Totp } from './totp.tsx'

/** The page with the user's sign-in methods, sessions and recent sign-ins. */
export default function Security() {
  const t = useTexts()
  return (
    <>
      <PageHead title={t.title} />
      <Passkeys />
      <Totp />
      <Sessions />
      <SignIns />
    </>
  )
}

function Sessions() {
  const t = useTexts()
  const read = useRead(api.sessions.retrieve, [])
  const endOthers = useSend(api.sessions.endOthers)
  const hasOthers = read.data?.sessions.some(({ isCurrent }) => !isCurrent)
  const more = hasOthers && (
    <button type="button" class="quiet" disabled={endOthers.isPending} onClick={() => endOthers.mutate([])}>
      {t.endOthers}
    </button>
  )
  return (
    <Section title={t.sessions} more={more}>
      <ErrorNotice error={endOthers.error} />
      <PagedTable
        read={rowsOf(read, ({ sessions }) => sessions)}
        columns={[
          { label: t.browser, cell: ({ agent }) => nameOf(agent) },
          { label: t.address, cell: ({ address }) => address, isExtra: true },
          { label: t.since, cell: ({ createTime }) => <Time at={createTime} /> },
          {
            label: t.actions,
            cell: ({ id, isCurrent }) => (isCurrent ? t.current : <SignOutThere id={id} />),
          },
        ]}
      />
    </Section>
  )
}

function SignOutThere({ id }: { id: string }) {
  const t = useTexts()
  return (
    <ConfirmButton
      call={api.sessions.delete}
      args={[id]}
      action={t.signOut}
      title={t.signOutTitle}
      warning={t.signOutText}
    />
  )
}

function SignIns() {
  const t = useTexts()
  const read = useRead(api.signIns.retrieve, [])
  return (
    <Section title={t.signIns}>
      <PagedTable
        read={rowsOf(read, ({ signIns }) => signIns)}
        empty={t.noSignIns}
        columns={[
          { label: t.time, cell: ({ createTime }) => <Time at={createTime} /> },
          {
            label: t.method,
            cell: ({ method, isStepUp }) => t.methods[method] + (isStepUp ? ` (${t.stepUp})` : ''),
          },
          { label: t.result, cell: ({ result }) => t.results[result] },
          { label: t.address, cell: ({ address }) => address, isExtra: true },
          { label: t.browser, cell: ({ agent }) => nameOf(agent), isExtra: true },
        ]}
      />
    </Section>
  )
}

/** Returns the names of the browser and operating system from a user agent string. */
function nameOf(agent: string): string {
  const browser = /(Firefox|Edg|OPR|SamsungBrowser|Chrome|Safari)/.exec(agent)?.[1]
  const system = /(Android|iPhone|iPad|Windows|Mac OS X|Linux)/.exec(agent)?.[1]
  return [browser, system].filter(Boolean).join(', ') || agent.slice(0, 40) || '–'
}
