import { api } from '../../api/client.ts'
import { useRows } from '../../api/queries.ts'
import { Section } from '../../parts/page.tsx'
import { PagedTable } from '../../parts/table.tsx'
import { Time } from '../../text/format.tsx'
import { ErasureStatus } from './erasure.tsx'
import { useTexts } from './texts.ts'

const pageSize = 10

/** The erasures of the Space, newest first. */
export function Erasures() {
  const t = useTexts()
  const read = useRows(api.personalDataErasures.list, [{ limit: pageSize }], {
    isMoving: ({ status }) => status === 'processing',
  })
  return (
    <Section title={t.erasures}>
      <PagedTable
        read={read}
        empty={t.noErasures}
        linkOf={({ id }) => `/personal-data?erasure=${id}`}
        columns={[
          { label: t.person, cell: ({ person }) => person },
          { label: t.status, cell: (erasure) => <ErasureStatus of={erasure} /> },
          { label: t.reason, isExtra: true, cell: ({ reason }) => reason },
          { label: t.createTime, cell: ({ createTime }) => <Time at={createTime} /> },
        ]}
      />
    </Section>
  )
}
