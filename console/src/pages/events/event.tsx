import { useParams } from 'wouter-preact'
import { api } from '../../api/client.ts'
import { useRead } from '../../api/queries.ts'
import { CopyText } from '../../parts/copy.tsx'
import { ErrorPage } from '../../parts/dead-end.tsx'
import { Loading } from '../../parts/notices.tsx'
import { Facts, PageHead } from '../../parts/page.tsx'
import { Time } from '../../text/format.tsx'
import { useTexts } from './texts.ts'

export default function EventPage() {
  const t = useTexts()
  const { id = '' } = useParams()
  const { data: event, error } = useRead(api.events.retrieve, [id])
  if (error) return <ErrorPage error={error} />
  if (!event) return <Loading />
  return (
    <>
      <PageHead title={event.type} above="/events" />
      <Facts
        of={[
          [t.time, <Time at={event.timestamp} />],
          [t.sequence, event.sequence],
          [t.object, <CopyText text={event.object.id} />],
          [t.id, <CopyText text={event.id} />],
        ]}
      />
      <section>
        <h2>{t.data}</h2>
        <pre>{JSON.stringify(event.data, null, 2)}</pre>
      </section>
    </>
  )
}
