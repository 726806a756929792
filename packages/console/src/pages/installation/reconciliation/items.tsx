import { api, type Environment, type ResultOf } from '../../../api/client.ts'
import { rowsOf, useRead } from '../../../api/queries.ts'
import { usePermissions } from '../../../api/scope.tsx'
import { ConfirmButton, ReasonField } from '../../../parts/confirm.tsx'
import { Section } from '../../../parts/page.tsx'
import { PagedTable } from '../../../parts/table.tsx'
import { Money, Time } from '../../../text/format.tsx'
import { useTexts } from './texts.ts'

export type Place = { providerId: string; environment: Environment }
type Item = ResultOf<typeof api.installation.openItems.retrieve>['items'][number]

/** Interval between refreshes of the list, because lines are matched shortly after a statement is imported. */
const refreshMs = 5_000

export function OpenItems({ place }: { place: Place }) {
  const t = useTexts()
  const may = usePermissions()
  const read = useRead(api.installation.openItems.retrieve, [place], { everyMs: refreshMs })
  return (
    <Section title={t.items}>
      <PagedTable
        read={rowsOf(read, ({ items }) => items)}
        empty={t.noItems}
        columns={[
          { label: t.status, cell: ({ state }) => t.states[state] },
          {
            label: t.provider,
            cell: ({ theirs }) => (theirs ? <Money of={theirs} /> : '–'),
            isNumber: true,
          },
          { label: t.ours, cell: ({ ours }) => (ours ? <Money of={ours} /> : '–'), isNumber: true },
          { label: t.plainReference, cell: (item) => <What item={item} />, isExtra: true },
          { label: t.time, cell: ({ time }) => <Time at={time} />, isExtra: true },
          may('installation:write') && {
            label: t.actions,
            cell: ({ id, state }) => state !== 'awaited' && <CloseItemButton id={id} />,
          },
        ]}
      />
      {read.data && !read.data.isWhole && <p class="muted">{t.notWhole}</p>}
    </Section>
  )
}

function What({ item: { direction, fileName, line, reference, objectId } }: { item: Item }) {
  const t = useTexts()
  const place = fileName !== null && line !== null && t.lineOf(fileName, line)
  return <>{[t.directions[direction], objectId ?? reference, place].filter(Boolean).join(', ')}</>
}

function CloseItemButton({ id }: { id: string }) {
  const t = useTexts()
  return (
    <ConfirmButton
      call={api.installation.openItems.close}
      args={(form) => [{ id, ...form.reason() }]}
      action={t.closeItem}
      about={id}
      title={t.closeItemTitle}
      class="quiet"
    >
      <p>{t.closeItemText}</p>
      <p>
        <code>{id}</code>
      </p>
      <ReasonField />
    </ConfirmButton>
  )
}
